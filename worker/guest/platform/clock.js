// The fixed clock: a definition must not depend on when it was computed.

import { defineHidden } from './install.js';

/** The instant every module sees, in milliseconds since the epoch: 2026-01-01T00:00:00Z. */
export const FIXED_NOW_MS = 1767225600000;

const RealDate = Date;
const { toString, toTimeString } = RealDate.prototype;

/**
 * `Date` with the fixed instant as its now. It shares the engine's prototype, so `instanceof` and methods are
 * unchanged and the engine's own constructor is out of reach.
 */
export function fixedDateClass() {
  function Date(...parts) {
    if (new.target === undefined) return new FixedDate(FIXED_NOW_MS).toString();
    return Reflect.construct(RealDate, parts.length === 0 ? [FIXED_NOW_MS] : parts, new.target);
  }
  const FixedDate = Date;
  Object.defineProperty(FixedDate, 'length', { value: 7, configurable: true });
  Object.defineProperty(FixedDate, 'prototype', { value: RealDate.prototype, writable: false });
  defineHidden(FixedDate, { now: () => FIXED_NOW_MS, parse: RealDate.parse, UTC: RealDate.UTC });
  defineHidden(RealDate.prototype, {
    constructor: FixedDate,
    // ECMA-262 leaves the zone's name open; every browser writes it.
    toString() {
      return withZoneName(toString.call(this));
    },
    toTimeString() {
      return withZoneName(toTimeString.call(this));
    },
  });
  return FixedDate;
}

function withZoneName(text) {
  return text.endsWith('GMT+0000') ? `${text} (Coordinated Universal Time)` : text;
}

/** `performance`: time stands still, marks and measures are kept. */
export function fixedPerformance() {
  let entries = [];
  const entry = (name, entryType, detail = null) => ({
    name: String(name), entryType, startTime: 0, duration: 0, detail, toJSON() { return { ...this }; },
  });
  const keep = (made) => (entries.push(made), made);
  const clear = (type) => (name) => {
    entries = entries.filter((kept) => kept.entryType !== type || (name !== undefined && kept.name !== String(name)));
  };
  const performance = {};
  defineHidden(performance, {
    timeOrigin: FIXED_NOW_MS,
    now: () => 0,
    mark: (name, options) => keep(entry(name, 'mark', options?.detail)),
    measure: (name, options) => keep(entry(name, 'measure', options?.detail)),
    clearMarks: clear('mark'),
    clearMeasures: clear('measure'),
    getEntries: () => [...entries],
    getEntriesByName: (name, type) =>
      entries.filter((kept) => kept.name === name && (type === undefined || kept.entryType === type)),
    getEntriesByType: (type) => entries.filter((kept) => kept.entryType === type),
    toJSON: () => ({ timeOrigin: FIXED_NOW_MS }),
    [Symbol.toStringTag]: 'Performance',
  });
  return performance;
}
