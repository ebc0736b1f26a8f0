export class Keys {
  #__realmdex0 = 'taken';
  @d 'with space' = 1;
  @d 42 = 2;
  @d [computed()] = 3;
  @d [other()]() {}
}
export const make = (name: string) => class { @d [name] = 4 };
