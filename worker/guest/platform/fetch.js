// `Request`, `Response` and a `fetch` that refuses: a tool that is being described has no network.

import { abortGlobals } from './abort.js';
import { BodyHolder, extractBody } from './bodies.js';
import { webInterface } from './install.js';
import { Headers } from './headers.js';
import { location } from './location.js';
import { URL } from './url.js';

const methods = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH']);
const statusesWithoutBody = new Set([101, 103, 204, 205, 304]);

const Request = webInterface(class Request extends BodyHolder {
  #parts;

  constructor(input, init = {}) {
    const from = input instanceof Request ? input : undefined;
    const url = from === undefined ? new URL(input, location.href).href : from.url;
    const method = methodOf(init.method ?? from?.method ?? 'GET');
    const headers = new Headers(init.headers ?? from?.headers);
    const hasBody = init.body !== undefined && init.body !== null;
    if (hasBody && (method === 'GET' || method === 'HEAD')) {
      throw new TypeError(`Failed to construct 'Request': a ${method} request has no body`);
    }
    const body = hasBody || from === undefined ? extractBody(init.body) : from.copyBody();
    if (hasBody && body.type !== undefined && !headers.has('content-type')) headers.set('content-type', body.type);
    super(body);
    const part = (name, otherwise) => init[name] ?? from?.[name] ?? otherwise;
    this.#parts = {
      url,
      method,
      headers,
      signal: part('signal', new abortGlobals.AbortController().signal),
      mode: part('mode', 'cors'),
      credentials: part('credentials', 'same-origin'),
      cache: part('cache', 'default'),
      redirect: part('redirect', 'follow'),
      referrer: part('referrer', 'about:client'),
      referrerPolicy: part('referrerPolicy', ''),
      integrity: part('integrity', ''),
      keepalive: part('keepalive', false),
      destination: '',
    };
  }

  static {
    showParts(this, (request) => request.#parts, [
      'url', 'method', 'headers', 'signal', 'mode', 'credentials', 'cache', 'redirect', 'referrer', 'referrerPolicy',
      'integrity', 'keepalive', 'destination',
    ]);
  }

  clone() {
    return new Request(this);
  }
});

const Response = webInterface(class Response extends BodyHolder {
  #parts;

  constructor(body = null, { status = 200, statusText = '', headers } = {}) {
    const code = Number(status);
    if (!(code >= 200 && code <= 599)) {
      throw new RangeError(`Failed to construct 'Response': the status (${status}) is outside the range [200, 599]`);
    }
    const extracted = extractBody(body);
    const isEmpty = extracted.bytes === undefined && extracted.stream === undefined;
    if (!isEmpty && statusesWithoutBody.has(code)) {
      throw new TypeError(`Failed to construct 'Response': a response of status ${code} has no body`);
    }
    super(extracted);
    this.#parts = partsOf({ status: code, statusText: String(statusText), headers: new Headers(headers) });
    const kept = this.#parts.headers;
    if (extracted.type !== undefined && !kept.has('content-type')) kept.set('content-type', extracted.type);
  }

  static {
    showParts(this, (response) => response.#parts, [
      'status', 'statusText', 'ok', 'headers', 'type', 'url', 'redirected',
    ]);
  }

  static json(data, { headers, ...init } = {}) {
    const text = JSON.stringify(data);
    if (text === undefined) throw new TypeError('The data is not JSON serializable');
    const given = new Headers(headers);
    if (!given.has('content-type')) given.set('content-type', 'application/json');
    return new Response(text, { ...init, headers: given });
  }

  static error() {
    const response = new Response();
    response.#parts = partsOf({ status: 0, statusText: '', headers: new Headers(), type: 'error' });
    return response;
  }

  static redirect(url, status = 302) {
    if (![301, 302, 303, 307, 308].includes(status)) throw new RangeError(`${status} is not a redirect status`);
    return new Response(null, { status, headers: { location: new URL(url, location.href).href } });
  }

  clone() {
    const { bytes, stream } = this.copyBody();
    const twin = new Response(bytes ?? stream);
    twin.#parts = { ...this.#parts, headers: new Headers(this.#parts.headers) };
    return twin;
  }
});

const partsOf = ({ status, statusText, headers, type = 'default' }) => ({
  status, statusText, headers, type, ok: status >= 200 && status <= 299, url: '', redirected: false,
});

function methodOf(method) {
  const text = String(method);
  const upper = text.toUpperCase();
  return methods.has(upper) && upper !== 'PATCH' ? upper : text;
}

function showParts(Class, partsFrom, names) {
  for (const name of names) {
    Object.defineProperty(Class.prototype, name, {
      get() {
        return partsFrom(this)[name];
      },
      enumerable: true,
      configurable: true,
    });
  }
}

async function fetch(input, init) {
  new Request(input, init).signal.throwIfAborted();
  throw new TypeError('network access is not available while a tool is being described');
}

/** The globals of the Fetch standard. */
export const fetchGlobals = { Headers, Request, Response, fetch };
