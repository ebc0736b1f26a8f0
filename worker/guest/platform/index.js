// The web platform that tool modules touch, some of them at import, on an engine that has only the language. Nothing
// here reaches anything: the clock stands still, randomness is seeded, there is no network and no page. Modules see
// what a module sees in Boxel's page, as far as a definition can depend on it.

import { abortGlobals } from './abort.js';
import { Blob, File } from './blob.js';
import { FIXED_NOW_MS, fixedDateClass, fixedPerformance } from './clock.js';
import { makeConsole } from './console.js';
import { cryptoGlobals } from './crypto.js';
import { documentGlobals } from './document.js';
import { elementGlobals } from './dom-elements.js';
import { nodeGlobals } from './dom-nodes.js';
import { eventGlobals } from './event-kinds.js';
import { EventTarget, reportError } from './events.js';
import { fetchGlobals } from './fetch.js';
import { FormData } from './form-data.js';
import { process } from './host-page.js';
import { provideHost } from './host-services.js';
import { customElementGlobals, htmlElementGlobals, namedConstructors } from './html-elements.js';
import { defineHidden } from './install.js';
import { Intl, installLocaleMethods } from './intl.js';
import { locationGlobals } from './location.js';
import { messageGlobals } from './messages.js';
import { networkGlobals } from './network.js';
import { randomFraction } from './random.js';
import { storageGlobals } from './storage.js';
import { ReadableStream, TransformStream, WritableStream } from './streams.js';
import { refuseToClone, structuredClone } from './structured-clone.js';
import { textCodingGlobals } from './text-coding.js';
import { provideTurn, runTimersUntil, timerGlobals } from './timers.js';
import { urlGlobals } from './url.js';
import { windowGlobals } from './window.js';

export { FIXED_NOW_MS, runTimersUntil };

const installed = new WeakSet();
const cloneable = new Set([Blob, File]);

/**
 * Gives `scope` (the global object) the platform. It may run while the engine is snapshotted: no function of `host` is
 * called, only kept. A second call for the same object does nothing.
 *
 * `host` has parseUrl(input, base) and setUrlPart(href, part, value), both answering JSON of a URL's parts or
 * throwing, decodeText(bytes, label, fatal, ignoreBom), log(level, message), and may have turn(), whose read() answers
 * a promise that resolves once the engine has no job left to run (in WIT, a function that returns a future).
 */
export function installPlatform(scope, host) {
  if (installed.has(scope)) return;
  installed.add(scope);
  provideHost(host);
  if (typeof host.turn === 'function') provideTurn(() => host.turn().read());

  const interfaces = {
    ...urlGlobals, ...textCodingGlobals, ...eventGlobals, ...abortGlobals, ...fetchGlobals, ...messageGlobals,
    ...networkGlobals, ...storageGlobals, ...cryptoGlobals, ...nodeGlobals, ...elementGlobals, ...htmlElementGlobals,
    ...customElementGlobals, ...documentGlobals, ...windowGlobals, ...locationGlobals, ...namedConstructors,
    Blob, File, FormData, ReadableStream, WritableStream, TransformStream,
  };
  for (const value of Object.values(interfaces)) {
    if (typeof value === 'function' && value.prototype !== undefined && !cloneable.has(value)) refuseToClone(value);
  }
  defineHidden(scope, interfaces);
  defineHidden(scope, { ...timerGlobals, structuredClone, reportError, Intl, process });
  defineHidden(scope, {
    Date: fixedDateClass(),
    performance: fixedPerformance(),
    console: makeConsole(),
    window: scope,
    self: scope,
    global: scope,
    top: scope,
    parent: scope,
    frames: scope,
    addEventListener: EventTarget.prototype.addEventListener,
    removeEventListener: EventTarget.prototype.removeEventListener,
    dispatchEvent: EventTarget.prototype.dispatchEvent,
  });
  defineHidden(scope.Math, { random: randomFraction });
  installLocaleMethods(scope);
}
