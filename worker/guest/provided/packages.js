// The little that is used of general packages while modules are imported and tools described.

const deepEqual = (a, b) => {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && deepEqual(a[key], b[key]));
};

const groupBy = (list, by) => Object.groupBy(list ?? [], typeof by === 'function' ? by : (entry) => entry[by]);

const lodash = {
  isEqual: deepEqual,
  flatMap: (list, map) => (Array.isArray(list) ? list : Object.values(list ?? {})).flatMap((entry, at) => map(entry, at)),
  cloneDeep: (value) => structuredClone(value),
  merge: (target, ...sources) => Object.assign(target, ...sources),
  uniq: (list) => [...new Set(list)],
  uniqBy: (list, by) => [...new Map((list ?? []).map((entry) => [typeof by === 'function' ? by(entry) : entry[by], entry])).values()],
  groupBy,
  deburr: (text) => String(text).normalize('NFD').replace(/\p{M}/gu, ''),
  debounce: (run) => run,
  throttle: (run) => run,
  camelCase: (text) => text.replace(/[-_ ]+(.)?/g, (_, next) => next?.toUpperCase() ?? ''),
  kebabCase: (text) => text.replace(/([a-z0-9])([A-Z])/g, '$1-$2').replace(/[_ ]+/g, '-').toLowerCase(),
  startCase: (text) => text.replace(/[-_]+/g, ' ').replace(/\b\w/g, (first) => first.toUpperCase()),
  mapValues: (object, map) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)])),
  omit: (object, keys) => Object.fromEntries(Object.entries(object).filter(([key]) => ![].concat(keys).includes(key))),
  pick: (object, keys) => Object.fromEntries([].concat(keys).filter((key) => key in object).map((key) => [key, object[key]])),
  isPlainObject: (value) => typeof value === 'object' && value !== null && [null, Object.prototype].includes(Object.getPrototypeOf(value)),
  get: (object, path) => String(path).split('.').reduce((at, key) => at?.[key], object),
};

export const packages = {
  lodash: { default: lodash, ...lodash },
  'lodash-es': { default: lodash, ...lodash },
  uuid: { v4: () => crypto.randomUUID() },
  'tracked-built-ins': {
    TrackedArray: Array,
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
