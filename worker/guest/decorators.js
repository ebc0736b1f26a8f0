// What the transpiled code calls where the source has decorators (see src/transpile/decorators).
//
// A decorator is called as `decorator(target, key, descriptor)`, where the target is the class for a static member
// and its prototype otherwise, and may return another descriptor. The rules are those of the npm package
// decorator-transforms, which Boxel is built with. The lists of decorators arrive in the order of application.

import { isInert } from './inert.js';

/** Descriptors of fields that are defined when an instance is made: prototype → key → descriptor. */
const awaited = new WeakMap();

/**
 * Decorates a field. The descriptor that comes out decides: with an `initializer` (or with `null` for one) the field
 * is defined on each instance, without it the descriptor is defined on the target at once, and instances get nothing
 * of their own.
 */
export function decorateField(target, key, decorators, initializer) {
  const descriptor = applyAll(decorators, target, key, {
    configurable: true,
    enumerable: true,
    writable: true,
    initializer: initializer ?? null,
  });
  if (descriptor.initializer === undefined) {
    Object.defineProperty(target, key, descriptor);
    return;
  }
  if (!awaited.has(target)) {
    awaited.set(target, new Map());
  }
  awaited.get(target).set(key, descriptor);
}

/**
 * Defines a decorated field on a new instance, if it is one that waits for that. The nearest class counts, starting
 * from the instance's constructor: a subclass that decorates the same field again overrides it from the start.
 */
export function initializeField(instance, key) {
  for (
    let prototype = instance.constructor.prototype;
    prototype;
    prototype = Object.getPrototypeOf(prototype)
  ) {
    const descriptor = awaited.get(prototype)?.get(key);
    if (descriptor) {
      const { configurable, enumerable, writable, initializer } = descriptor;
      const value = initializer ? initializer.call(instance) : undefined;
      Object.defineProperty(instance, key, { configurable, enumerable, writable, value });
      return;
    }
  }
}

/** Decorates a method, getter or setter, which is defined already. */
export function decorateMethod(target, key, decorators) {
  const own = { ...Object.getOwnPropertyDescriptor(target, key) };
  const { initializer, ...descriptor } = applyAll(decorators, target, key, own);
  if (initializer !== undefined) {
    descriptor.value = initializer ? initializer.call(target) : undefined;
  }
  Object.defineProperty(target, key, descriptor);
}

/** Decorates a class, and returns what to use in its place. */
export function decorateClass(decorated, decorators) {
  for (const decorator of decorators) {
    decorated = answered(decorator(decorated)) || decorated;
  }
  return decorated;
}

// A decorator of a package that is only stood in for answers with a stand-in, which is no answer.
const answered = (answer) => (isInert(answer) ? undefined : answer);

function applyAll(decorators, target, key, descriptor) {
  for (const decorator of decorators) {
    descriptor = answered(decorator(target, key, descriptor)) || descriptor;
  }
  return descriptor;
}

/** The object that transpiled code knows as `__realmdexDecorate`. */
export const decorate = Object.freeze({
  field: decorateField,
  init: initializeField,
  method: decorateMethod,
  class: decorateClass,
});
