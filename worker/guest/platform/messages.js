// `MessageChannel` and `BroadcastChannel`: schedulers use them at import to get a task of their own. A message is a
// timer that is due at once.

import { MessageEvent } from './event-kinds.js';
import { EventTarget } from './events.js';
import { webInterface } from './install.js';
import { structuredClone } from './structured-clone.js';
import { timerGlobals } from './timers.js';

function deliver(target, data) {
  const event = new MessageEvent('message', { data: structuredClone(data) });
  timerGlobals.setTimeout(() => target.dispatchEvent(event), 0);
}

let entangle;

const MessagePort = webInterface(class MessagePort extends EventTarget {
  #other;
  onmessage = null;

  static {
    entangle = (one, other) => {
      one.#other = other;
      other.#other = one;
    };
  }

  postMessage(data) {
    if (this.#other !== undefined) deliver(this.#other, data);
  }

  start() {}

  close() {
    this.#other = undefined;
  }
});

const MessageChannel = webInterface(class MessageChannel {
  port1 = new MessagePort();
  port2 = new MessagePort();

  constructor() {
    entangle(this.port1, this.port2);
  }
});

const BroadcastChannel = webInterface(class BroadcastChannel extends EventTarget {
  static #open = new Set();
  onmessage = null;

  constructor(name) {
    super();
    this.name = String(name);
    BroadcastChannel.#open.add(this);
  }

  postMessage(data) {
    for (const channel of BroadcastChannel.#open) {
      if (channel !== this && channel.name === this.name) deliver(channel, data);
    }
  }

  close() {
    BroadcastChannel.#open.delete(this);
  }
});

/** The globals of messaging. */
export const messageGlobals = { MessageChannel, MessagePort, BroadcastChannel };
