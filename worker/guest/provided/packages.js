// The little that is used of general packages while modules are imported and tools described.

const deepEqual = (a, b) => {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false;
  if (Array.isArray(a) !== Array.isArray(b) || (a instanceof Date && +a !== +b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && deepEqual(a[key], b[key]));
};

const property = (by) => (typeof by === 'function' ? by : (entry) => entry[by]);
const groupBy = (list, by) => Object.groupBy(list ?? [], property(by));

function uniqBy(list, by) {
  const first = new Map();
  for (const entry of list ?? []) {
    const key = property(by)(entry);
    if (!first.has(key)) first.set(key, entry);
  }
  return [...first.values()];
}

const isPlainObject = (value) =>
  typeof value === 'object' && value !== null && [null, Object.prototype].includes(Object.getPrototypeOf(value));

// Plain objects are merged, whatever else replaces what was there, and `undefined` replaces nothing.
function merge(target, ...sources) {
  for (const source of sources) {
    for (const [key, value] of Object.entries(source ?? {})) {
      if (isPlainObject(value) && isPlainObject(target[key])) merge(target[key], value);
      else if (value !== undefined) target[key] = value;
    }
  }
  return target;
}

const wordsOf = (text) => String(text).match(/\p{Lu}?[\p{Ll}\p{Lo}]+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu) ?? [];
const upperFirst = (text) => text.replace(/^./u, (first) => first.toUpperCase());
const later = (run) => Object.assign((...args) => run(...args), { cancel() {}, flush() {} });

const lodash = {
  isEqual: deepEqual,
  flatMap: (list, map) => (Array.isArray(list) ? list : Object.values(list ?? {})).flatMap((entry, at) => map(entry, at)),
  cloneDeep: (value) => structuredClone(value),
  merge,
  uniq: (list) => [...new Set(list)],
  uniqBy,
  groupBy,
  deburr: (text) => String(text).normalize('NFD').replace(/\p{M}/gu, ''),
  debounce: later,
  throttle: later,
  camelCase: (text) =>
    wordsOf(text).map((word, at) => (at === 0 ? word.toLowerCase() : upperFirst(word.toLowerCase()))).join(''),
  kebabCase: (text) => wordsOf(text).join('-').toLowerCase(),
  snakeCase: (text) => wordsOf(text).join('_').toLowerCase(),
  startCase: (text) => wordsOf(text).map(upperFirst).join(' '),
  mapValues: (object, map) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)])),
  omit: (object, keys) => Object.fromEntries(Object.entries(object).filter(([key]) => ![].concat(keys).includes(key))),
  pick: (object, keys) => Object.fromEntries([].concat(keys).filter((key) => key in object).map((key) => [key, object[key]])),
  isPlainObject,
  get: (object, path, otherwise) =>
    (Array.isArray(path) ? path : String(path).split('.')).reduce((at, key) => at?.[key], object) ?? otherwise,
};

export const packages = {
  lodash: { default: lodash, ...lodash },
  'lodash-es': { default: lodash, ...lodash },
  uuid: { v4: () => crypto.randomUUID() },
  'tracked-built-ins': {
    // It copies a list, where an array takes a length; what it maps to is an ordinary array.
    TrackedArray: class TrackedArray extends Array {
      static [Symbol.species] = Array;
      constructor(initial = []) {
        super();
        this.push(...initial);
      }
    },
    TrackedMap: Map,
    TrackedSet: Set,
    TrackedWeakMap: WeakMap,
    TrackedWeakSet: WeakSet,
    TrackedObject: class TrackedObject {
      constructor(initial) {
        Object.assign(this, initial);
      }
    },
  },
};
