export default class {
  description = 'A name that providers refuse.';
  getInputJsonSchema = async () => ({ attributes: { type: 'object', properties: {} } });
}
export const $dollar = { description: 'refused', inputSchema: { type: 'object' }, run() {} };
export const aNameThatIsFarTooLongToBeTheNameOfAFunctionForAnyProviderThatThereIs = $dollar;
export const fine = $dollar;
