// Inert stand-ins: values that survive being called, constructed, extended, spread, iterated and read, and do
// nothing. They stand for everything of the host application that only matters when something is rendered.

const inertValues = new WeakSet();

/** Whether `value` is a stand-in made here. */
export function isInert(value) {
  return (typeof value === 'function' || typeof value === 'object') && value !== null && inertValues.has(value);
}

function* nothing() {}

// Asked of any value by the language itself. Answering them with a stand-in would make it a thenable, or a
// wrapper that boxes to garbage.
const answers = {
  then: () => undefined,
  toJSON: () => undefined,
  valueOf: () => () => '',
  toString: () => () => '',
};

const handler = {
  get(target, key, receiver) {
    if (key === Symbol.iterator) return nothing;
    if (key === Symbol.toPrimitive) return (hint) => (hint === 'number' ? 0 : '');
    if (typeof key === 'symbol') return Reflect.get(target, key, receiver);
    if (Object.hasOwn(answers, key)) return answers[key]();
    if (key === 'prototype' || key === 'name' || key === 'length' || target.kept.has(key)) {
      return target.kept.has(key) ? target.kept.get(key) : Reflect.get(target, key, receiver);
    }
    const child = inert(key);
    target.kept.set(key, child);
    return child;
  },
  set(target, key, value) {
    if (typeof key === 'symbol') return Reflect.set(target, key, value);
    target.kept.set(key, value);
    return true;
  },
  apply(target, thisArgument, args) {
    // A component helper or a task wrapper is often handed the function it wraps: it is not run, only kept.
    return inert(target.name);
  },
  construct(target, args, newTarget) {
    // Extended by a real class: its instances are ordinary objects, so that what they lack reads as undefined.
    return newTarget === undefined || inertValues.has(newTarget)
      ? inert(target.name)
      : Reflect.construct(target, [], newTarget);
  },
};

/** Makes a stand-in; `name` shows where a stack trace or a class name would. */
export function inert(name) {
  const target = { [name]: function () {} }[name];
  Object.defineProperty(target, 'kept', { value: new Map() });
  const proxy = new Proxy(target, handler);
  inertValues.add(proxy);
  return proxy;
}

/**
 * A module namespace of which only `real` has meaning and every other name is inert. With `names` it is strict:
 * a name outside the list is an error, as it is for a package the host application really bundles.
 */
export function standInNamespace(specifier, real = {}, names = undefined) {
  const known = names && new Set(names);
  return new Proxy(Object.assign(Object.create(null), real), {
    get(target, key) {
      if (typeof key !== 'string' || key in target) return target[key];
      if (probed.has(key)) return undefined;
      if (known && !known.has(key)) throw new ReferenceError(missingExport(specifier, key));
      return (target[key] = inert(key));
    },
    set(target, key) {
      throw new TypeError(`cannot assign to '${String(key)}' of the module '${specifier}': it is read-only`);
    },
  });
}

// Read from any object by the language or by libraries that look for an interface; never a named import.
const probed = new Set([
  'then', '__esModule', 'toJSON', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', 'propertyIsEnumerable',
  'toLocaleString', 'constructor',
]);

function missingExport(specifier, name) {
  return `Module '${specifier}' has no exported member '${name}': check the spelling, or import it from the module that has it`;
}
