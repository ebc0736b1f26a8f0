// `URLSearchParams` (WHATWG URL, section 6): the list of pairs, its serialisation, and the tie to a `URL`.

import { decodeText } from './host-services.js';
import { webInterface } from './install.js';

/** Sets the list a `URL` shows without telling the `URL` about it. */
export let replacePairs;
/** Makes the list of a `URL`; `changed` gets the new query text after each change. */
export let paramsOfUrl;

export const URLSearchParams = webInterface(class URLSearchParams {
  #pairs = [];
  #changed = () => {};

  static {
    replacePairs = (params, query) => {
      params.#pairs = parsePairs(query);
    };
    paramsOfUrl = (query, changed) => {
      const params = new URLSearchParams(query);
      params.#changed = changed;
      return params;
    };
  }

  constructor(init = '') {
    this.#pairs = initialPairs(init);
  }

  get size() {
    return this.#pairs.length;
  }

  append(name, value) {
    this.#pairs.push([wellFormed(name), wellFormed(value)]);
    this.#update();
  }

  delete(name, value) {
    this.#pairs = this.#pairs.filter(([key, kept]) => key !== String(name) || !matches(kept, value));
    this.#update();
  }

  get(name) {
    return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null;
  }

  getAll(name) {
    return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value);
  }

  has(name, value) {
    return this.#pairs.some(([key, kept]) => key === String(name) && matches(kept, value));
  }

  set(name, value) {
    const key = wellFormed(name);
    const first = this.#pairs.findIndex(([kept]) => kept === key);
    if (first === -1) {
      this.#pairs.push([key, wellFormed(value)]);
    } else {
      this.#pairs[first] = [key, wellFormed(value)];
      this.#pairs = this.#pairs.filter(([kept], index) => kept !== key || index === first);
    }
    this.#update();
  }

  sort() {
    // By code units, stable, as the standard says.
    this.#pairs.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
    this.#update();
  }

  forEach(callback, thisArgument) {
    for (const [name, value] of this) callback.call(thisArgument, value, name, this);
  }

  *entries() {
    for (let index = 0; index < this.#pairs.length; index += 1) yield [...this.#pairs[index]];
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

  toString() {
    return this.#pairs.map((pair) => pair.map(encodeFormText).join('=')).join('&');
  }

  #update() {
    this.#changed(this.toString());
  }
});

const wellFormed = (value) => String(value).toWellFormed();
const matches = (kept, value) => value === undefined || kept === String(value);

function initialPairs(init) {
  if (init === null || (typeof init !== 'object' && typeof init !== 'function')) {
    return parsePairs(String(init));
  }
  if (typeof init[Symbol.iterator] !== 'function') {
    return Object.keys(init).map((name) => [wellFormed(name), wellFormed(init[name])]);
  }
  return Array.from(init, (entry) => {
    const pair = [...entry];
    if (pair.length !== 2) throw new TypeError("Failed to construct 'URLSearchParams': a pair has two elements");
    return pair.map(wellFormed);
  });
}

/** Parses `application/x-www-form-urlencoded` text (one leading `?` is ignored) into pairs. */
export function parsePairs(text) {
  const query = text.startsWith('?') ? text.slice(1) : text;
  return query.split('&').filter((part) => part !== '').map((part) => {
    const equals = part.indexOf('=');
    return (equals === -1 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)]).map(decodeFormText);
  });
}

function encodeFormText(text) {
  return encodeURIComponent(text)
    .replace(/[!'()~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

function decodeFormText(text) {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced.toWellFormed();
  try {
    return decodeURIComponent(spaced).toWellFormed();
  } catch {
    return decodeLossy(spaced);
  }
}

// Where the escapes are not UTF-8, or a `%` is no escape: what can't be decoded stays or becomes U+FFFD.
function decodeLossy(text) {
  return text.toWellFormed().replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    decodeText(Uint8Array.from(escapes.slice(1).split('%'), (hex) => Number.parseInt(hex, 16)), 'utf-8', false, true));
}
