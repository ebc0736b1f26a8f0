// Values that are no JSON.
const property = (schema) => ({ description: 'd', inputSchema: { type: 'object', properties: { p: schema } }, run() {} });
export const symbolKey = property({ [Symbol('key')]: 1, type: 'string' });
export const symbolValue = property({ type: 'string', default: Symbol('value') });
export const functionValue = property({ type: 'string', default() {} });
export const bigInteger = property({ type: 'integer', maximum: 2n ** 64n });
export const largeNumber = property({ type: 'number', maximum: 2 ** 64, minimum: -1e308, multipleOf: 5e-324 });
export const map = property(new Map([['type', 'string']]));
export const boxed = property({ type: new String('string'), minLength: new Number(1), deprecated: new Boolean(false) });
export const sparse = property({ enum: [1, , 3] });
export const loneSurrogates = {
  description: 'half \ud83c, other half \udf3b, both \ud83c\udf3b',
  inputSchema: { type: 'object', properties: { '\udc00': { type: 'string', default: '\udfff\ud800' } } },
  run() {},
};
export const backslashes = { description: '\\ud800 is spelled out', inputSchema: { type: 'object' }, run() {} };
export const nul = { description: 'a\u0000b', inputSchema: { type: 'object', title: '\u0000' }, run() {} };
export const proto = {
  description: 'd',
  inputSchema: JSON.parse('{"type": "object", "properties": {"__proto__": {"type": "string"}, "constructor": {}}}'),
  run() {},
};
export const toJsonText = { description: 'd', inputSchema: { type: 'object', toJSON: () => 'text' }, run() {} };
export const toJsonNothing = { description: 'd', inputSchema: { type: 'object', toJSON() {} }, run() {} };
export const toJsonOther = { description: 'd', inputSchema: { type: 'object', toJSON: () => ({ type: 'array' }) }, run() {} };
export const toJsonThrows = {
  description: 'd',
  inputSchema: {
    type: 'object',
    toJSON() {
      throw new Error('no JSON');
    },
  },
  run() {},
};
export class SpreadToJson {
  description = 'd';
  getInputJsonSchema = () => ({ attributes: { type: 'object' }, toJSON: () => [] });
}
