// `location` and `history`: a page that is nowhere. The address is of the reserved name `.invalid` (RFC 2606), so that
// relative references resolve and nothing they name exists.

import { defineHidden, webInterface } from './install.js';

const origin = 'https://sandbox.invalid';

const Location = webInterface(class Location {
  toString() {
    return this.href;
  }
});

/** The global `location`. Assigning to a part of it, or navigating, does nothing. */
export const location = new Location();

for (const [part, value] of Object.entries({
  href: `${origin}/`,
  origin,
  protocol: 'https:',
  host: 'sandbox.invalid',
  hostname: 'sandbox.invalid',
  port: '',
  pathname: '/',
  search: '',
  hash: '',
})) {
  Object.defineProperty(location, part, { get: () => value, set() {}, enumerable: true, configurable: true });
}
defineHidden(location, { assign() {}, replace() {}, reload() {}, ancestorOrigins: [] });

const History = webInterface(class History {
  length = 1;
  state = null;
  scrollRestoration = 'auto';
  back() {}
  forward() {}
  go() {}
  pushState() {}
  replaceState() {}
});

/** The globals of navigation. */
export const locationGlobals = { location, Location, history: new History(), History };
