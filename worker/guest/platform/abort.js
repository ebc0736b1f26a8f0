// `AbortController` and `AbortSignal` (DOM standard, section 3).

import { Event, EventTarget } from './events.js';
import { webInterface } from './install.js';
import { timerGlobals } from './timers.js';

let abort;

const madeHere = Symbol('a signal is made by its controller');

export const AbortSignal = webInterface(class AbortSignal extends EventTarget {
  #aborted = false;
  #reason;

  static {
    abort = (signal, reason) => {
      if (signal.#aborted) return;
      signal.#aborted = true;
      signal.#reason = reason;
      if (reason === undefined) signal.#reason = new DOMException('signal is aborted without reason', 'AbortError');
      signal.dispatchEvent(new Event('abort'));
    };
  }

  constructor(key) {
    if (key !== madeHere) throw new TypeError("Failed to construct 'AbortSignal': Illegal constructor");
    super();
    this.onabort = null;
  }

  static abort(reason) {
    const signal = new AbortSignal(madeHere);
    abort(signal, reason);
    return signal;
  }

  static timeout(milliseconds) {
    const signal = new AbortSignal(madeHere);
    timerGlobals.setTimeout(() => abort(signal, new DOMException('signal timed out', 'TimeoutError')), milliseconds);
    return signal;
  }

  static any(signals) {
    const signal = new AbortSignal(madeHere);
    for (const source of signals) {
      if (source.aborted) return AbortSignal.abort(source.reason);
      source.addEventListener('abort', () => abort(signal, source.reason), { once: true });
    }
    return signal;
  }

  get aborted() {
    return this.#aborted;
  }

  get reason() {
    return this.#reason;
  }

  throwIfAborted() {
    if (this.#aborted) throw this.#reason;
  }
});

const AbortController = webInterface(class AbortController {
  #signal = new AbortSignal(madeHere);

  get signal() {
    return this.#signal;
  }

  abort(reason) {
    abort(this.#signal, reason);
  }
});

/** The globals of aborting. */
export const abortGlobals = { AbortController, AbortSignal };
