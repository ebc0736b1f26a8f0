// `TextEncoder` (UTF-8, in JavaScript) and `TextDecoder` (any WHATWG encoding, by the host).

import { decodeText } from './host-services.js';
import { webInterface } from './install.js';

/** UTF-8 of `text`; lone surrogates become U+FFFD. */
export function encodeUtf8(text) {
  const bytes = new Uint8Array(utf8Length(text));
  writeUtf8(text, bytes);
  return bytes;
}

function utf8Length(text) {
  let length = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    length += 1;
    if (unit < 0x800) continue;
    // A pair is two units and four bytes, any other unit from here on is three bytes.
    if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(index + 1))) index += 1;
    length += 1;
  }
  return length;
}

const isHighSurrogate = (unit) => (unit & 0xfc00) === 0xd800;
const isLowSurrogate = (unit) => (unit & 0xfc00) === 0xdc00;

/** Writes as many whole characters as fit and answers {read: code units, written: bytes}. */
function writeUtf8(text, bytes) {
  let written = 0;
  let index = 0;
  while (index < text.length) {
    let point = text.charCodeAt(index);
    if (point < 0x80) {
      if (written === bytes.length) break;
      bytes[written] = point;
      written += 1;
      index += 1;
      continue;
    }
    const units = isHighSurrogate(point) && isLowSurrogate(text.charCodeAt(index + 1)) ? 2 : 1;
    if (units === 2) point = text.codePointAt(index);
    else if ((point & 0xf800) === 0xd800) point = 0xfffd;
    const size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (written + size > bytes.length) break;
    bytes[written] = [0, 0, 0xc0, 0xe0, 0xf0][size] | (point >> (6 * (size - 1)));
    for (let rest = size - 2; rest >= 0; rest -= 1) {
      bytes[written + size - 1 - rest] = 0x80 | ((point >> (6 * rest)) & 0x3f);
    }
    written += size;
    index += units;
  }
  return { read: index, written };
}

const TextEncoder = webInterface(class TextEncoder {
  get encoding() {
    return 'utf-8';
  }

  encode(text = '') {
    return encodeUtf8(String(text));
  }

  encodeInto(text, destination) {
    return writeUtf8(String(text), destination);
  }
});

/** Names of the encodings that labels are used for in practice; every other label names itself. */
const names = new Map();
for (const [name, ...labels] of [
  ['utf-8', 'utf8', 'unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'x-unicode20utf8'],
  ['utf-16le', 'utf-16', 'csunicode', 'iso-10646-ucs-2', 'ucs-2', 'unicode', 'unicodefeff'],
  ['utf-16be', 'unicodefffe'],
  ['windows-1252', 'ansi_x3.4-1968', 'ascii', 'cp1252', 'cp819', 'csisolatin1', 'ibm819', 'iso-8859-1', 'iso-ir-100',
    'iso8859-1', 'iso88591', 'iso_8859-1', 'iso_8859-1:1987', 'l1', 'latin1', 'us-ascii', 'x-cp1252'],
]) {
  for (const label of [name, ...labels]) names.set(label, name);
}

/** How many of the last bytes of `bytes` begin a character that more bytes would complete. */
const unfinished = {
  'utf-8'(bytes) {
    for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
      const byte = bytes[bytes.length - back];
      if ((byte & 0xc0) === 0x80) continue;
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
      return size > back ? back : 0;
    }
    return 0;
  },
  'utf-16le': (bytes) => unfinishedUtf16(bytes, 1),
  'utf-16be': (bytes) => unfinishedUtf16(bytes, 0),
  'windows-1252': () => 0,
};

function unfinishedUtf16(bytes, highByte) {
  const odd = bytes.length % 2;
  const last = bytes.length - odd - 2;
  return last >= 0 && (bytes[last + highByte] & 0xfc) === 0xd8 ? odd + 2 : odd;
}

const TextDecoder = webInterface(class TextDecoder {
  #encoding;
  #fatal;
  #ignoreBom;
  #held = new Uint8Array(0);
  #begun = false;

  constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
    const normalized = String(label).trim().toLowerCase();
    this.#encoding = names.get(normalized) ?? normalized;
    this.#fatal = Boolean(fatal);
    this.#ignoreBom = Boolean(ignoreBOM);
    if (!names.has(normalized)) requireLabel(normalized);
  }

  get encoding() {
    return this.#encoding;
  }

  get fatal() {
    return this.#fatal;
  }

  get ignoreBOM() {
    return this.#ignoreBom;
  }

  /** With `stream`, bytes that begin a character wait for the next call; of a legacy multi-byte encoding, all do. */
  decode(input = new Uint8Array(0), { stream = false } = {}) {
    const bytes = join(this.#held, bytesOf(input));
    const hold = stream ? (unfinished[this.#encoding]?.(bytes) ?? bytes.length) : 0;
    const ready = bytes.subarray(0, bytes.length - hold);
    this.#held = bytes.slice(bytes.length - hold);
    // Only what begins the stream can be a byte order mark.
    const keepBom = this.#ignoreBom || this.#begun;
    this.#begun = stream && (this.#begun || ready.length > 0);
    if (ready.length === 0) return '';
    try {
      return decodeText(ready, this.#encoding, this.#fatal, keepBom);
    } catch {
      this.#held = new Uint8Array(0);
      this.#begun = false;
      throw new TypeError(`The encoded data was not valid ${this.#encoding}`);
    }
  }
});

function requireLabel(label) {
  try {
    decodeText(new Uint8Array(0), label, false, false);
  } catch {
    throw new RangeError(`Failed to construct 'TextDecoder': The encoding label provided ('${label}') is invalid.`);
  }
}

/** The bytes of a BufferSource, not copied. */
export function bytesOf(source) {
  if (source instanceof Uint8Array) return source;
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof ArrayBuffer || source instanceof SharedArrayBuffer) return new Uint8Array(source);
  throw new TypeError('the bytes must be an ArrayBuffer or a view of one');
}

function join(held, bytes) {
  if (held.length === 0) return bytes;
  const joined = new Uint8Array(held.length + bytes.length);
  joined.set(held);
  joined.set(bytes, held.length);
  return joined;
}

/** The globals of the Encoding standard. */
export const textCodingGlobals = { TextEncoder, TextDecoder };
