// How a global is defined: as the web platform does it, so that a module can replace it and a loop over
// `globalThis` doesn't meet it.

/** Defines each of `values` (accessors stay accessors) on `target`: writable, configurable, not enumerable. */
export function defineHidden(target, values) {
  for (const key of Reflect.ownKeys(values)) {
    const descriptor = Object.getOwnPropertyDescriptor(values, key);
    Object.defineProperty(target, key, { ...descriptor, enumerable: false });
  }
}

/** Gives a class the `Symbol.toStringTag` its name demands (Web IDL), and answers the class. */
export function webInterface(Class, name = Class.name) {
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: name, configurable: true });
  return Class;
}
