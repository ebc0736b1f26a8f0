// `URL`: the host parses (WHATWG), this class shows the parts.

import { parseUrl, setUrlPart } from './host-services.js';
import { webInterface } from './install.js';
import { randomUuid } from './crypto.js';
import { URLSearchParams, paramsOfUrl, replacePairs } from './url-search-params.js';

export const URL = webInterface(class URL {
  #parts;
  #params;

  constructor(input, base) {
    if (arguments.length === 0) {
      throw new TypeError("Failed to construct 'URL': 1 argument required, but only 0 present.");
    }
    this.#parts = parse(input, base);
    if (this.#parts === undefined) throw new TypeError("Failed to construct 'URL': Invalid URL");
  }

  static canParse(input, base) {
    return parse(input, base) !== undefined;
  }

  static parse(input, base) {
    try {
      return new URL(input, base);
    } catch {
      return null;
    }
  }

  /** Nothing can be fetched here, so the object is not kept: only the address is made. */
  static createObjectURL() {
    return `blob:null/${randomUuid()}`;
  }

  static revokeObjectURL() {}

  get origin() {
    return this.#parts.origin;
  }

  get href() {
    return this.#parts.href;
  }

  set href(value) {
    const parts = parse(value, undefined);
    if (parts === undefined) throw new TypeError("Failed to set the 'href' property on 'URL': Invalid URL");
    this.#replace(parts);
  }

  get searchParams() {
    this.#params ??= paramsOfUrl(this.search, (query) => {
      this.#parts = setUrlPart(this.href, 'search', query) ?? this.#parts;
    });
    return this.#params;
  }

  toString() {
    return this.href;
  }

  toJSON() {
    return this.href;
  }

  #replace(parts) {
    this.#parts = parts;
    if (this.#params !== undefined) replacePairs(this.#params, parts.search);
  }

  static {
    const settable = [
      'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash',
    ];
    for (const part of settable) {
      Object.defineProperty(this.prototype, part, {
        get() {
          return this.#parts[part];
        },
        set(value) {
          const parts = setUrlPart(this.#parts.href, part, String(value));
          if (parts !== undefined) this.#replace(parts);
        },
        enumerable: true,
        configurable: true,
      });
    }
  }
});

function parse(input, base) {
  return parseUrl(String(input), base === undefined ? undefined : String(base));
}

/** The globals of the URL standard. */
export const urlGlobals = { URL, URLSearchParams };
