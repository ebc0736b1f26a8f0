// Throws what is no error, and errors that can't be read.
const thrower = (make) =>
  class {
    constructor() {
      throw make();
    }
  };
const unreadable = (target) =>
  new Proxy(target, {
    get() {
      throw new Error('not to be read');
    },
    getPrototypeOf() {
      throw new Error('not to be asked');
    },
  });

export const Null = thrower(() => null);
export const Undefined = thrower(() => undefined);
export const Text = thrower(() => 'just text');
export const EmptyText = thrower(() => '');
export const Number = thrower(() => 404);
export const BigInteger = thrower(() => 12n);
export const Symbolic = thrower(() => Symbol('sign'));
export const Plain = thrower(() => ({ message: 'of a plain object' }));
export const NoMessage = thrower(() => ({ code: 5 }));
export const MessageIsNumber = thrower(() => Object.assign(new Error(), { message: 7 }));
export const MessageIsObject = thrower(() => Object.assign(new Error(), { message: {} }));
export const MessageIsSymbol = thrower(() => Object.assign(new Error(), { message: Symbol('m') }));
export const EmptyMessage = thrower(() => new TypeError(''));
export const NoPrototype = thrower(() => Object.create(null));
export const Aggregate = thrower(() => new AggregateError([new Error('one'), new Error('two')], 'several'));
export const Caused = thrower(() => new Error('outer', { cause: new Error('inner') }));
export const Function = thrower(() => () => {});
export const ThrowingMessage = thrower(() => ({
  get message() {
    throw new Error('no message');
  },
}));
export const ThrowingStack = thrower(() =>
  Object.defineProperty(new Error('with a bad stack'), 'stack', {
    get() {
      throw new Error('no stack');
    },
  }),
);
export const ThrowingToString = thrower(() => ({
  toString() {
    throw new Error('no text');
  },
}));
export const ToStringIsObject = thrower(() => ({ toString: () => ({}), valueOf: () => ({}) }));
export const ProxiedError = thrower(() => unreadable(new Error('hidden')));
export const ProxiedFunction = thrower(() => unreadable(() => {}));
export const Revoked = thrower(() => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
});
export const LoneSurrogate = thrower(() => new Error('half \ud83c of a flower'));
export const NulInMessage = thrower(() => new Error('a\u0000b'));
export const Lines = thrower(() => new Error('first\nsecond\r\n\tthird'));
export const Dom = thrower(() => new DOMException('from the platform', 'DataError'));
