// `structuredClone` (HTML standard, section 2.7) for what the language and this platform have.

import { Blob } from './blob.js';

const errorClasses = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

/** Built-in objects that can't be cloned; the interfaces of the platform are added when it is installed. */
const uncloneable = new Set([WeakMap, WeakSet, WeakRef, Promise, FinalizationRegistry].map((Class) => Class.prototype));

/** Makes `structuredClone` refuse the instances of `Class`. */
export function refuseToClone(Class) {
  uncloneable.add(Class.prototype);
}

function cannotClone(what) {
  return new DOMException(`${what} could not be cloned.`, 'DataCloneError');
}

/** The global `structuredClone`. Buffers in `transfer` are moved; no other object can be transferred here. */
export function structuredClone(value, { transfer = [] } = {}) {
  if (arguments.length === 0) throw new TypeError("Failed to execute 'structuredClone': 1 argument required");
  const moved = [...transfer];
  if (moved.some((item) => !(item instanceof ArrayBuffer))) throw cannotClone('A transferred object of this kind');
  const copies = new Map();
  const copy = clone(value, copies);
  for (const buffer of moved) buffer.transfer();
  return copy;
}

function clone(value, copies) {
  if (typeof value === 'symbol') throw cannotClone(String(value));
  if (typeof value === 'function') throw cannotClone(Function.prototype.toString.call(value));
  if (typeof value !== 'object' || value === null) return value;
  if (copies.has(value)) return copies.get(value);
  const { copy, fill } = begin(value, copies);
  // Kept before it is filled: a cycle finds its way back to it.
  copies.set(value, copy);
  fill?.();
  return copy;
}

// The copy of an object's own kind, and how to fill it with clones of its parts.
function begin(value, copies) {
  const inner = (part) => clone(part, copies);
  if (Array.isArray(value)) {
    const copy = new Array(value.length);
    return { copy, fill: () => cloneProperties(value, copy, inner) };
  }
  if (value instanceof Map) {
    const copy = new Map();
    const entries = [...value];
    return { copy, fill: () => entries.forEach(([key, part]) => copy.set(inner(key), inner(part))) };
  }
  if (value instanceof Set) {
    const copy = new Set();
    const parts = [...value];
    return { copy, fill: () => parts.forEach((part) => copy.add(inner(part))) };
  }
  if (value instanceof Date) return { copy: new Date(value.getTime()) };
  if (value instanceof RegExp) return { copy: new RegExp(value.source, value.flags) };
  if (value instanceof ArrayBuffer) return { copy: value.slice(0) };
  if (ArrayBuffer.isView(value)) return { copy: cloneView(value, inner) };
  if (value instanceof Boolean || value instanceof Number || value instanceof String || value instanceof BigInt) {
    return { copy: Object(value.valueOf()) };
  }
  if (value instanceof DOMException) return { copy: new DOMException(value.message, value.name) };
  if (value instanceof Error) return cloneError(value, inner);
  if (value instanceof Blob) return { copy: value }; // immutable
  for (let prototype = value; prototype !== null; prototype = Object.getPrototypeOf(prototype)) {
    if (uncloneable.has(prototype)) throw cannotClone(`${prototype[Symbol.toStringTag]} object`);
  }
  // An instance of a class comes out as a plain object.
  const copy = {};
  return { copy, fill: () => cloneProperties(value, copy, inner) };
}

function cloneProperties(value, copy, inner) {
  for (const key of Object.keys(value)) {
    const field = { value: inner(value[key]), enumerable: true, writable: true, configurable: true };
    Object.defineProperty(copy, key, field);
  }
}

function cloneView(view, inner) {
  const buffer = inner(view.buffer);
  const length = view instanceof DataView ? view.byteLength : view.length;
  const Class = view instanceof DataView ? DataView : globalThis[view[Symbol.toStringTag]];
  return new Class(buffer, view.byteOffset, length);
}

function cloneError(error, inner) {
  const Class = Object.hasOwn(errorClasses, error.name) ? errorClasses[error.name] : Error;
  const copy = new Class(Object.hasOwn(error, 'message') ? String(error.message) : undefined);
  const fill = () => {
    for (const key of ['stack', 'cause']) {
      if (!Object.hasOwn(error, key)) continue;
      Object.defineProperty(copy, key, { value: inner(error[key]), writable: true, configurable: true });
    }
  };
  return { copy, fill };
}
