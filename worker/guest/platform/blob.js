// `Blob` and `File`: bytes in memory.

import { FIXED_NOW_MS } from './clock.js';
import { decodeUtf8 } from './host-services.js';
import { webInterface } from './install.js';
import { streamOfBytes } from './streams.js';
import { bytesOf, encodeUtf8 } from './text-coding.js';

/** The bytes of a blob, shared and never written to. */
export let bytesOfBlob;

export const Blob = webInterface(class Blob {
  #bytes;
  #type;

  static {
    bytesOfBlob = (blob) => blob.#bytes;
  }

  constructor(parts = [], { type = '' } = {}) {
    if (typeof parts !== 'object' || parts === null || typeof parts[Symbol.iterator] !== 'function') {
      throw new TypeError("Failed to construct 'Blob': the parts are a sequence");
    }
    this.#bytes = concatenate(Array.from(parts, bytesOfPart));
    this.#type = /^[\x20-\x7e]*$/.test(type) ? String(type).toLowerCase() : '';
  }

  get size() {
    return this.#bytes.length;
  }

  get type() {
    return this.#type;
  }

  slice(start = 0, end = this.size, type = '') {
    return new Blob([this.#bytes.subarray(fromEnd(start, this.size), fromEnd(end, this.size))], { type });
  }

  async text() {
    return decodeUtf8(this.#bytes);
  }

  async arrayBuffer() {
    return this.#bytes.slice().buffer;
  }

  async bytes() {
    return this.#bytes.slice();
  }

  stream() {
    return streamOfBytes(this.#bytes.slice());
  }
});

const fromEnd = (index, size) => (index < 0 ? Math.max(size + index, 0) : Math.min(index, size));

function bytesOfPart(part) {
  if (part instanceof Blob) return bytesOfBlob(part);
  return ArrayBuffer.isView(part) || part instanceof ArrayBuffer ? bytesOf(part) : encodeUtf8(String(part));
}

/** One array of all `chunks` (of Uint8Array). */
export function concatenate(chunks) {
  const all = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.length;
  }
  return all;
}

export const File = webInterface(class File extends Blob {
  #name;
  #lastModified;

  constructor(parts, name, { lastModified = FIXED_NOW_MS, ...options } = {}) {
    if (arguments.length < 2) throw new TypeError("Failed to construct 'File': a file has parts and a name");
    super(parts, options);
    this.#name = String(name);
    this.#lastModified = Number(lastModified);
  }

  get name() {
    return this.#name;
  }

  get lastModified() {
    return this.#lastModified;
  }

  get webkitRelativePath() {
    return '';
  }
});
