// The rest of a window: its size, what it observes, asks and styles. Boxel evaluates modules in a page, so code may
// ask `typeof window`; here the window is the global object, and nothing in it ever happens.

import { DOMRect, emptyStyle } from './dom-elements.js';
import { EventTarget } from './events.js';
import { webInterface } from './install.js';

/** An observer that has nothing to observe. */
function observerClass(name) {
  const Observer = {
    [name]: class {
      constructor(callback) {
        if (typeof callback !== 'function') throw new TypeError(`Failed to construct '${name}': it takes a function`);
      }
      observe() {}
      unobserve() {}
      disconnect() {}
      takeRecords() { return []; }
    },
  }[name];
  return webInterface(Observer, name);
}

const MediaQueryList = webInterface(class MediaQueryList extends EventTarget {
  constructor(media) {
    super();
    this.media = String(media);
    this.matches = false;
    this.onchange = null;
  }
  addListener(callback) { this.addEventListener('change', callback); }
  removeListener(callback) { this.removeEventListener('change', callback); }
});

const CSSStyleSheet = webInterface(class CSSStyleSheet {
  cssRules = [];
  disabled = false;
  insertRule() { return 0; }
  deleteRule() {}
  replaceSync() {}
  async replace() { return this; }
});

const unavailable = (what) => async () => {
  throw new DOMException(`${what} is not available while a tool is being described`, 'NotAllowedError');
};

const Navigator = webInterface(class Navigator {});
const navigator = Object.assign(new Navigator(), {
  userAgent: 'Mozilla/5.0 (realmdex)',
  appVersion: '5.0 (realmdex)',
  platform: '',
  vendor: '',
  language: 'en-US',
  languages: Object.freeze(['en-US']),
  onLine: false,
  cookieEnabled: false,
  hardwareConcurrency: 1,
  maxTouchPoints: 0,
  webdriver: false,
  clipboard: Object.fromEntries(
    ['read', 'readText', 'write', 'writeText'].map((action) => [action, unavailable('the clipboard')])),
  sendBeacon: () => false,
  vibrate: () => false,
});

/** The globals of a window. */
export const windowGlobals = {
  navigator,
  Navigator,
  name: '',
  closed: false,
  isSecureContext: true,
  origin: 'https://sandbox.invalid',
  innerWidth: 1024,
  innerHeight: 768,
  outerWidth: 1024,
  outerHeight: 768,
  devicePixelRatio: 1,
  scrollX: 0,
  scrollY: 0,
  pageXOffset: 0,
  pageYOffset: 0,
  screenX: 0,
  screenY: 0,
  screen: { width: 1024, height: 768, availWidth: 1024, availHeight: 768, colorDepth: 24, pixelDepth: 24 },
  visualViewport: Object.assign(new EventTarget(), {
    width: 1024, height: 768, scale: 1, offsetLeft: 0, offsetTop: 0, pageLeft: 0, pageTop: 0,
  }),
  matchMedia: (query) => new MediaQueryList(query),
  getComputedStyle: () => emptyStyle(),
  getSelection: () => null,
  scroll() {},
  scrollTo() {},
  scrollBy() {},
  open: () => null,
  close() {},
  focus() {},
  blur() {},
  print() {},
  stop() {},
  postMessage() {},
  alert() {},
  confirm: () => false,
  prompt: () => null,
  CSS: {
    supports: () => false,
    // Good for identifiers, which is what selectors are made of.
    escape: (text) => String(text).replace(/[^\w\-\u0080-\uffff]/g, '\\$&'),
  },
  CSSStyleSheet,
  DOMRectReadOnly: DOMRect,
  MediaQueryList,
  ResizeObserver: observerClass('ResizeObserver'),
  IntersectionObserver: observerClass('IntersectionObserver'),
  MutationObserver: observerClass('MutationObserver'),
  PerformanceObserver: observerClass('PerformanceObserver'),
};
