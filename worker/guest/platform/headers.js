// `Headers` (Fetch standard, section 5.1).

import { webInterface } from './install.js';

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

export const Headers = webInterface(class Headers {
  /** Values by lower-case name; `set-cookie` alone keeps several. */
  #values = new Map();

  constructor(init = undefined) {
    if (init === undefined || init === null) return;
    if (typeof init !== 'object') throw new TypeError("Failed to construct 'Headers': it takes a record or pairs");
    const pairs = typeof init[Symbol.iterator] === 'function' ? init : Object.entries(init);
    for (const given of pairs) {
      const pair = [...given];
      if (pair.length !== 2) throw new TypeError("Failed to construct 'Headers': a pair has two elements");
      this.append(...pair);
    }
  }

  append(name, value) {
    const key = nameOf(name);
    this.#values.set(key, [...(this.#values.get(key) ?? []), valueOf(value)]);
  }

  set(name, value) {
    this.#values.set(nameOf(name), [valueOf(value)]);
  }

  delete(name) {
    this.#values.delete(nameOf(name));
  }

  get(name) {
    return this.#values.get(nameOf(name))?.join(', ') ?? null;
  }

  has(name) {
    return this.#values.has(nameOf(name));
  }

  getSetCookie() {
    return [...(this.#values.get('set-cookie') ?? [])];
  }

  forEach(callback, thisArgument) {
    for (const [name, value] of this) callback.call(thisArgument, value, name, this);
  }

  *entries() {
    for (const name of [...this.#values.keys()].sort()) {
      const values = this.#values.get(name);
      if (name !== 'set-cookie') yield [name, values.join(', ')];
      else for (const value of values) yield [name, value];
    }
  }

  *keys() {
    for (const [name] of this) yield name;
  }

  *values() {
    for (const [, value] of this) yield value;
  }

  [Symbol.iterator]() {
    return this.entries();
  }
});

function nameOf(name) {
  const text = String(name);
  if (!token.test(text)) throw new TypeError(`'${text}' is not a valid header name`);
  return text.toLowerCase();
}

function valueOf(value) {
  const text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
  if (/[\0\n\r]|[^\0-\xff]/.test(text)) throw new TypeError(`'${text}' is not a valid header value`);
  return text;
}
