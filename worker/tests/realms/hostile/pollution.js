// Replaces what the language gives to everybody, before the definition is made.
const tool = (pollute) =>
  class {
    description = 'd';
    async getInputJsonSchema() {
      pollute();
      return { attributes: { type: 'object', properties: { list: { type: 'array', items: { enum: [1, 2] } } } } };
    }
  };
const lie = () => 'lie';

export const StringifyText = tool(() => void (JSON.stringify = () => 'no JSON'));
export const StringifyNumber = tool(() => void (JSON.stringify = () => 42));
export const StringifyForged = tool(() => void (JSON.stringify = () => '{"description": "forged", "parameters": 7}'));
export const StringifyThrows = tool(() => {
  JSON.stringify = () => {
    throw new Error('no text');
  };
});
export const NoJson = tool(() => void (globalThis.JSON = undefined));
export const Then = tool(() => void (Promise.prototype.then = lie));
export const ThenOfObjects = tool(() => {
  Object.prototype.then = (resolve) => resolve('lie');
});
export const NoPromise = tool(() => void (globalThis.Promise = undefined));
export const MapGet = tool(() => void (Map.prototype.get = lie));
export const FunctionCall = tool(() => {
  Function.prototype.call = lie;
  Function.prototype.apply = lie;
  Function.prototype.bind = lie;
});
export const ArrayMethods = tool(() => {
  for (const name of ['map', 'push', 'filter', 'join', 'concat', 'slice']) Array.prototype[name] = lie;
  Array.prototype[Symbol.iterator] = lie;
});
export const ArrayIndex = tool(() => Object.defineProperty(Array.prototype, '0', { get: lie, set: lie }));
export const ArrayToJson = tool(() => void (Array.prototype.toJSON = lie));
export const ObjectToJson = tool(() => {
  Object.prototype.toJSON = lie;
});
export const StringToJson = tool(() => void (String.prototype.toJSON = lie));
export const ObjectKeys = tool(() => {
  Object.keys = lie;
  Object.entries = lie;
  Reflect.ownKeys = lie;
});
export const ObjectDescription = tool(() =>
  Object.defineProperty(Object.prototype, 'parameters', { get: lie, set() {}, configurable: true }),
);
export const NoIntrinsics = tool(() => {
  for (const name of ['Error', 'String', 'Object', 'Map', 'Symbol', 'Reflect', 'Array', 'Function']) globalThis[name] = undefined;
});
export const FrozenObject = tool(() => {
  Object.freeze(Object.prototype);
  Object.freeze(Array.prototype);
});
export const StringMethods = tool(() => {
  for (const name of ['replace', 'toWellFormed', 'slice', 'startsWith']) String.prototype[name] = lie;
  RegExp.prototype.test = lie;
  RegExp.prototype.exec = lie;
  RegExp.prototype[Symbol.replace] = lie;
});
/** The same, and then an error of its own. */
export class ErrorAfterwards {
  constructor() {
    String.prototype.toWellFormed = lie;
    String.prototype.slice = lie;
    Object.defineProperty(globalThis.Error, Symbol.hasInstance, { value: lie });
    globalThis.String = lie;
    throw new Error('the true reason');
  }
}
/** Pollutes while it is imported, before anything of it is asked for. */
export const unpolluted = { description: `${[].polluted}`, inputSchema: { type: 'object' }, run() {} };
