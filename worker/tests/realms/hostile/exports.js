// Odd exports.
const plain = { description: 'd', inputSchema: { type: 'object' }, run() {} };

export const unreadable = new Proxy(plain, {
  get() {
    throw new Error('not to be read');
  },
  has() {
    throw new Error('not to be asked');
  },
});
export const revoked = (() => {
  const { proxy, revoke } = Proxy.revocable(plain, {});
  revoke();
  return proxy;
})();
export const proxied = new Proxy(plain, {});
export const proxiedClass = new Proxy(class { description = 'd'; getInputJsonSchema = () => ({ attributes: { type: 'object' } }); }, {});
export const invented = new Proxy(function () {}, {
  construct: () => new Proxy({}, { get: (_, key) => (key === 'description' ? 'invented' : () => ({ attributes: { type: 'object' } })) }),
});
export const throwingGetter = {
  get description() {
    throw new Error('no description');
  },
  get inputSchema() {
    throw new Error('no schema');
  },
  run() {},
};
/** What is asked for twice may answer twice: only one reading counts. */
let read = 0;
export const fickle = {
  description: 'd',
  run() {},
  get inputSchema() {
    return { type: 'object', properties: { [`reading${(read += 1)}`]: {} } };
  },
};
export const fickleType = {
  description: 'd',
  run() {},
  inputSchema: {
    get type() {
      return (read += 1) % 2 ? 'object' : 'array';
    },
  },
};
export { plain as then };
