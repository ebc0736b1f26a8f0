// `Intl` as a documented stand-in: the engine has none, and the real one is 30 MB of tables. It writes English as
// used in the United States, dates in UTC, and knows the Gregorian calendar and Latin digits. What a tool's definition
// may contain (a formatted example, a sorted list) comes out as in a browser set to en-US in UTC; other locales are
// accepted and come out in en-US.

import { defineHidden } from './install.js';
import { Collator, localeCompare } from './intl-collation.js';
import { DateTimeFormat, localeDate } from './intl-date.js';
import { Locale, canonicalLocales } from './intl-locale.js';
import { currencySigns, units } from './intl-number-data.js';
import { NumberFormat } from './intl-number.js';
import { Segmenter } from './intl-segmenter.js';
import { DisplayNames, ListFormat, PluralRules, RelativeTimeFormat } from './intl-words.js';

const supportedValues = {
  calendar: ['gregory'],
  collation: ['default'],
  currency: Object.keys(currencySigns).sort(),
  numberingSystem: ['latn'],
  timeZone: ['UTC'],
  unit: Object.keys(units).sort(),
};

/** The global `Intl`. */
export const Intl = {};
defineHidden(Intl, {
  Collator,
  DateTimeFormat,
  DisplayNames,
  ListFormat,
  Locale,
  NumberFormat,
  PluralRules,
  RelativeTimeFormat,
  Segmenter,
  getCanonicalLocales: canonicalLocales,
  supportedValuesOf(key) {
    if (!Object.hasOwn(supportedValues, key)) throw new RangeError(`Invalid key : ${key}`);
    return [...supportedValues[key]];
  },
  [Symbol.toStringTag]: 'Intl',
});

/** Gives the language's own classes their locale-aware methods (ECMA-402, section 20). */
export function installLocaleMethods({ String, Number, BigInt, Date, Array }) {
  defineHidden(String.prototype, {
    localeCompare(other, locales, options) {
      return localeCompare(`${this}`, `${other}`, locales, options);
    },
    toLocaleLowerCase() {
      return this.toLowerCase();
    },
    toLocaleUpperCase() {
      return this.toUpperCase();
    },
  });
  const formatNumber = {
    toLocaleString(locales, options) {
      return new NumberFormat(locales, options).format(this.valueOf());
    },
  };
  defineHidden(Number.prototype, formatNumber);
  defineHidden(BigInt.prototype, formatNumber);
  defineHidden(Date.prototype, {
    toLocaleString(locales, options) {
      return localeDate(this, locales, options, 'any', 'all');
    },
    toLocaleDateString(locales, options) {
      return localeDate(this, locales, options, 'date', 'date');
    },
    toLocaleTimeString(locales, options) {
      return localeDate(this, locales, options, 'time', 'time');
    },
  });
  const formatList = {
    toLocaleString(locales, options) {
      const written = (item) => (item === null || item === undefined ? '' : item.toLocaleString(locales, options));
      return Array.from(this, written).join(',');
    },
  };
  defineHidden(Array.prototype, formatList);
  defineHidden(Object.getPrototypeOf(Uint8Array.prototype), formatList);
}
