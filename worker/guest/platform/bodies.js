// The body that `Request` and `Response` share (Fetch standard, section 5.2–5.3).

import { Blob, bytesOfBlob, concatenate } from './blob.js';
import { FormData } from './form-data.js';
import { decodeUtf8 } from './host-services.js';
import { ReadableStream, streamOfBytes } from './streams.js';
import { bytesOf, encodeUtf8 } from './text-coding.js';
import { URLSearchParams, parsePairs } from './url-search-params.js';

/** The bytes (or the stream) of what a body is made from, and the content type it implies: {bytes, stream, type}. */
export function extractBody(init) {
  if (init === undefined || init === null) return { bytes: undefined };
  if (init instanceof ReadableStream) return { stream: init };
  if (init instanceof Blob) return { bytes: bytesOfBlob(init), type: init.type || undefined };
  if (ArrayBuffer.isView(init) || init instanceof ArrayBuffer) return { bytes: bytesOf(init).slice() };
  if (init instanceof URLSearchParams) {
    return { bytes: encodeUtf8(init.toString()), type: 'application/x-www-form-urlencoded;charset=UTF-8' };
  }
  if (init instanceof FormData) return multipart(init);
  return { bytes: encodeUtf8(String(init)), type: 'text/plain;charset=UTF-8' };
}

const boundary = '----realmdexFormBoundary';

function multipart(form) {
  const escape = (text) => text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
  const chunks = [];
  for (const [name, value] of form) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escape(name)}"`;
    if (typeof value === 'string') {
      chunks.push(encodeUtf8(`${head}\r\n\r\n${value.replace(/\r?\n|\r/g, '\r\n')}\r\n`));
    } else {
      const type = value.type || 'application/octet-stream';
      chunks.push(encodeUtf8(`${head}; filename="${escape(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`));
      chunks.push(bytesOfBlob(value), encodeUtf8('\r\n'));
    }
  }
  chunks.push(encodeUtf8(`--${boundary}--\r\n`));
  return { bytes: concatenate(chunks), type: `multipart/form-data; boundary=${boundary}` };
}

/** A message with a body; a subclass has `headers`. */
export class BodyHolder {
  #bytes;
  #stream;
  #used = false;

  constructor({ bytes, stream }) {
    this.#bytes = bytes;
    this.#stream = stream;
  }

  get body() {
    if (this.#bytes === undefined && this.#stream === undefined) return null;
    this.#stream ??= streamOfBytes(this.#bytes);
    return this.#stream;
  }

  get bodyUsed() {
    return this.#used;
  }

  async bytes() {
    if (this.#used || this.#stream?.locked) throw new TypeError('body stream already read');
    if (this.#bytes === undefined && this.#stream === undefined) return new Uint8Array(0);
    this.#used = true;
    if (this.#stream === undefined) return this.#bytes.slice();
    const chunks = [];
    for await (const chunk of this.#stream) chunks.push(bytesOf(chunk));
    return concatenate(chunks);
  }

  async arrayBuffer() {
    return (await this.bytes()).buffer;
  }

  async text() {
    return decodeUtf8(await this.bytes());
  }

  async json() {
    return JSON.parse(await this.text());
  }

  async blob() {
    return new Blob([await this.bytes()], { type: this.headers.get('content-type') ?? '' });
  }

  async formData() {
    const type = this.headers.get('content-type') ?? '';
    const text = await this.text();
    if (!type.startsWith('application/x-www-form-urlencoded')) {
      throw new TypeError(`a body of type '${type}' can't be read as form data here`);
    }
    const form = new FormData();
    for (const [name, value] of parsePairs(`?${text}`)) form.append(name, value);
    return form;
  }

  /** What a clone's body is made from. A stream is split in two. */
  copyBody() {
    if (this.#used || this.#stream?.locked) throw new TypeError('body is already used');
    if (this.#stream === undefined) return { bytes: this.#bytes };
    const [mine, theirs] = this.#stream.tee();
    this.#stream = mine;
    return { stream: theirs };
  }
}
