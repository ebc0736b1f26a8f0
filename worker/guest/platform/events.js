// `Event` and `EventTarget` (DOM standard, section 2) for targets that are in no rendered document. An event goes to
// its target and, where it bubbles, to the target's parents; there is no capturing.

import { log } from './host-services.js';
import { defineHidden, webInterface } from './install.js';
import { describeError } from './inspect.js';

/** Listeners by target, so that any object (the global one too) can be a target: {type, callback, capture, once}. */
const listenersOf = new WeakMap();

/** What a dispatch changes in an event. */
let stateOf;

export const Event = webInterface(class Event {
  #type;
  #init;
  #state = { prevented: false, stopped: false, stoppedNow: false, target: null, current: null, path: [] };

  static {
    stateOf = (event) => event.#state;
    const phases = { NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 };
    defineHidden(this, phases);
    defineHidden(this.prototype, phases);
  }

  constructor(type, { bubbles = false, cancelable = false, composed = false } = {}) {
    if (arguments.length === 0) throw new TypeError("Failed to construct 'Event': an event has a type");
    this.#type = String(type);
    this.#init = { bubbles: Boolean(bubbles), cancelable: Boolean(cancelable), composed: Boolean(composed) };
  }

  get type() { return this.#type; }
  get bubbles() { return this.#init.bubbles; }
  get cancelable() { return this.#init.cancelable; }
  get composed() { return this.#init.composed; }
  get defaultPrevented() { return this.#state.prevented; }
  get returnValue() { return !this.#state.prevented; }
  get cancelBubble() { return this.#state.stopped; }
  get target() { return this.#state.target; }
  get srcElement() { return this.#state.target; }
  get currentTarget() { return this.#state.current; }
  get eventPhase() {
    const { current, target } = this.#state;
    return current === null ? Event.NONE : current === target ? Event.AT_TARGET : Event.BUBBLING_PHASE;
  }
  get timeStamp() { return 0; }
  get isTrusted() { return false; }

  composedPath() { return [...this.#state.path]; }
  preventDefault() { this.#state.prevented ||= this.#init.cancelable; }
  stopPropagation() { this.#state.stopped = true; }
  stopImmediatePropagation() { this.#state.stopped = this.#state.stoppedNow = true; }
});

/** `EventTarget`; its methods work on the global object too. */
export const EventTarget = webInterface(class EventTarget {
  addEventListener(type, callback, options) {
    const target = this ?? globalThis;
    const capture = isCapture(options);
    if (callback === null || callback === undefined || options?.signal?.aborted) return;
    const listeners = listenersOf.get(target) ?? [];
    if (listeners.some(isListener(type, callback, capture))) return;
    listenersOf.set(target, [...listeners, { type: String(type), callback, capture, once: options?.once === true }]);
    options?.signal?.addEventListener('abort', () => removeListener(target, type, callback, capture));
  }

  removeEventListener(type, callback, options) {
    removeListener(this ?? globalThis, type, callback, isCapture(options));
  }

  dispatchEvent(event) {
    if (!(event instanceof Event)) throw new TypeError("Failed to execute 'dispatchEvent': it takes an Event");
    const state = stateOf(event);
    const path = [this ?? globalThis];
    for (let parent = path[0].parentNode; event.bubbles && parent; parent = parent.parentNode) path.push(parent);
    Object.assign(state, { target: path[0], path, stopped: false, stoppedNow: false });
    for (const target of path) {
      state.current = target;
      callListeners(target, event, state);
      if (state.stopped) break;
    }
    Object.assign(state, { current: null, path: [] });
    return !event.defaultPrevented;
  }
});

function callListeners(target, event, state) {
  // `signal.onabort`, `port.onmessage`.
  const handler = target[`on${event.type}`];
  if (typeof handler === 'function') report(() => handler.call(target, event));
  for (const listener of listenersOf.get(target) ?? []) {
    if (state.stoppedNow) return;
    const { type, callback, capture, once } = listener;
    if (type !== event.type || !listenersOf.get(target).includes(listener)) continue;
    if (once) removeListener(target, type, callback, capture);
    report(() => (typeof callback === 'function' ? callback.call(target, event) : callback.handleEvent(event)));
  }
}

const isCapture = (options) => Boolean(typeof options === 'object' ? options?.capture : options);

const isListener = (type, callback, capture) => (known) =>
  known.type === String(type) && known.callback === callback && known.capture === capture;

function removeListener(target, type, callback, capture) {
  const isRemoved = isListener(type, callback, capture);
  // A new list: a dispatch goes through the one it began with.
  listenersOf.set(target, (listenersOf.get(target) ?? []).filter((known) => !isRemoved(known)));
}

/** Runs `call`; what it throws is logged, as an uncaught error in a browser, and does not reach the caller. */
export function report(call) {
  try {
    call();
  } catch (error) {
    reportError(error);
  }
}

/** The global `reportError`. */
export function reportError(error) {
  log('error', `Uncaught ${describeError(error)}`);
}
