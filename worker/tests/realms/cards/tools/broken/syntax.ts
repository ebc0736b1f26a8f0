export const fine = 1;
export default class {
  description = ;
}
