// `FormData`: a list of names and values; a value is a string or a file.

import { Blob, File } from './blob.js';
import { webInterface } from './install.js';

export const FormData = webInterface(class FormData {
  #entries = [];

  append(name, value, fileName) {
    this.#entries.push(entry(name, value, fileName));
  }

  set(name, value, fileName) {
    const key = String(name);
    const first = this.#entries.findIndex(([known]) => known === key);
    if (first === -1) {
      this.append(name, value, fileName);
    } else {
      this.#entries[first] = entry(name, value, fileName);
      this.#entries = this.#entries.filter(([known], index) => known !== key || index === first);
    }
  }

  delete(name) {
    this.#entries = this.#entries.filter(([known]) => known !== String(name));
  }

  get(name) {
    return this.#entries.find(([known]) => known === String(name))?.[1] ?? null;
  }

  getAll(name) {
    return this.#entries.filter(([known]) => known === String(name)).map(([, value]) => value);
  }

  has(name) {
    return this.#entries.some(([known]) => known === String(name));
  }

  forEach(callback, thisArgument) {
    for (const [name, value] of this) callback.call(thisArgument, value, name, this);
  }

  *entries() {
    for (const pair of this.#entries) yield [...pair];
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

function entry(name, value, fileName) {
  const key = String(name).toWellFormed();
  if (!(value instanceof Blob)) return [key, String(value).toWellFormed()];
  if (value instanceof File && fileName === undefined) return [key, value];
  return [key, new File([value], fileName ?? 'blob', { type: value.type })];
}
