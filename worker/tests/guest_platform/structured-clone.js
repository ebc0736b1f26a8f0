// `structuredClone`.

const thrown = (value, options) => {
  try {
    return structuredClone(value, options);
  } catch (error) {
    return error.name;
  }
};

class Point {
  x = 1;
  get double() {
    return 2 * this.x;
  }
}

export const cases = [
  [
    'plain data',
    () => structuredClone({ a: [1, 'x', null, true], b: { c: 1.5 } }),
    { a: [1, 'x', null, true], b: { c: 1.5 } },
  ],
  [
    'a copy, not the same',
    () => {
      const source = { inner: {} };
      return structuredClone(source).inner === source.inner;
    },
    false,
  ],
  [
    'cycles',
    () => {
      const source = { name: 'loop' };
      source.self = source;
      const copy = structuredClone(source);
      return copy.self === copy && copy !== source;
    },
    true,
  ],
  [
    'shared references stay shared',
    () => {
      const shared = {};
      const [one, two] = structuredClone([shared, shared]);
      return one === two;
    },
    true,
  ],
  [
    'Map and Set',
    () => {
      const copy = structuredClone({ map: new Map([['a', new Set([1, 2])]]) });
      return [copy.map instanceof Map, [...copy.map.get('a')]];
    },
    [true, [1, 2]],
  ],
  ['Date', () => structuredClone(new Date(5)).getTime(), 5],
  ['RegExp', () => String(structuredClone(/a+/gi)), '/a+/gi'],
  [
    'typed arrays share their buffer',
    () => {
      const buffer = new ArrayBuffer(8);
      const copy = structuredClone({ bytes: new Uint8Array(buffer, 2, 3), numbers: new Float64Array(buffer) });
      return [copy.bytes.length, copy.bytes.byteOffset, copy.bytes.buffer === copy.numbers.buffer];
    },
    [3, 2, true],
  ],
  [
    'errors',
    () => {
      const { name, message, cause } = structuredClone(new RangeError('far', { cause: 'near' }));
      return { name, message, cause };
    },
    { name: 'RangeError', message: 'far', cause: 'near' },
  ],
  ['boxed values', () => typeof structuredClone(Object('x')), 'object'],
  [
    'an instance becomes plain',
    () => {
      const copy = structuredClone(new Point());
      return [copy.constructor === Object, Object.keys(copy)];
    },
    [true, ['x']],
  ],
  ['undefined stays', () => 'a' in structuredClone({ a: undefined }), true],
  ['sparse arrays', () => [structuredClone([, 1]).length, 0 in structuredClone([, 1])], [2, false]],
  ['functions', () => thrown({ f() {} }), 'DataCloneError'],
  ['symbols', () => thrown(Symbol('x')), 'DataCloneError'],
  [
    'WeakMap and Promise',
    () => [thrown(new WeakMap()), thrown(Promise.resolve())],
    ['DataCloneError', 'DataCloneError'],
  ],
  [
    'objects of the platform',
    () => [thrown(new URL('https://x/')), thrown(new Headers()), thrown(new EventTarget())],
    ['DataCloneError', 'DataCloneError', 'DataCloneError'],
  ],
  [
    'a transferred buffer is detached',
    () => {
      const buffer = Uint8Array.of(1, 2).buffer;
      const copy = structuredClone(buffer, { transfer: [buffer] });
      return [copy.byteLength, buffer.byteLength];
    },
    [2, 0],
  ],
];
