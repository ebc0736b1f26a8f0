// The other ways to the network, and to other threads: the classes exist, so that a module can extend them or ask for
// them, and making an instance is refused.

import { EventTarget } from './events.js';
import { defineHidden, webInterface } from './install.js';

function refusedClass(name, constants = {}) {
  const Refused = {
    [name]: class extends EventTarget {
      constructor() {
        super();
        const message = `${name} is not available while a tool is being described`;
        throw new DOMException(message, 'NotSupportedError');
      }
    },
  }[name];
  defineHidden(Refused, constants);
  defineHidden(Refused.prototype, constants);
  return webInterface(Refused, name);
}

/** Globals whose instances are refused. */
export const networkGlobals = {
  XMLHttpRequest: refusedClass('XMLHttpRequest', { UNSENT: 0, OPENED: 1, HEADERS_RECEIVED: 2, LOADING: 3, DONE: 4 }),
  WebSocket: refusedClass('WebSocket', { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 }),
  EventSource: refusedClass('EventSource', { CONNECTING: 0, OPEN: 1, CLOSED: 2 }),
  Worker: refusedClass('Worker'),
  SharedWorker: refusedClass('SharedWorker'),
};
