// `console` never throws and returns nothing, whatever it is given.

const cycle = { name: 'loop' };
cycle.self = cycle;

export const cases = [
  [
    'every method',
    () =>
      [
        console.log('plain', 1, { a: [1] }),
        console.info('%s is %d', 'x', 5),
        console.warn(new Error('shown')),
        console.error(cycle),
        console.debug(Symbol('s'), 1n, null, undefined),
        console.table([{ a: 1 }]),
        console.group('g'),
        console.groupEnd(),
        console.count(),
        console.assert(false, 'no'),
        console.time('t'),
        console.timeEnd('t'),
        console.trace('here'),
        console.dir({}),
      ].every((answer) => answer === undefined),
    true,
  ],
  [
    'values that resist being shown',
    () =>
      [
        console.log({
          get boom() {
            throw new Error('not called');
          },
        }),
        console.log(
          new Proxy(
            {},
            {
              ownKeys() {
                throw new Error('refused');
              },
            },
          ),
        ),
        console.log(Object.create(null), 'a lone surrogate: \ud800'),
        console.log(class A {}, () => {}, new Map([[{}, new Set([1])]]), new Uint8Array(3)),
      ].every((answer) => answer === undefined),
    true,
  ],
];
