// What all of `Intl` shares: locale tags and options. The stand-in knows one locale, en-US, and writes that whichever
// is asked for; a tag is only checked to be well-formed.

import { webInterface } from './install.js';

/** The locale all formatting is in. */
export const LOCALE = 'en-US';

const notALocale = 'Incorrect locale information provided';
const wellFormed = /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i;

/** The canonical tags of what a caller passes as `locales`; a RangeError where one is no tag. */
export function canonicalLocales(locales) {
  if (locales === undefined) return [];
  if (locales === null) throw new TypeError(notALocale);
  const list = typeof locales === 'string' || locales instanceof Locale ? [locales] : Array.from(locales);
  const tags = list.map((locale) => {
    if (typeof locale !== 'string' && typeof locale !== 'object') throw new TypeError(notALocale);
    const tag = String(locale);
    if (!wellFormed.test(tag)) throw new RangeError(`${notALocale}: '${tag}'`);
    return canonicalTag(tag);
  });
  return [...new Set(tags)];
}

// Case by position (RFC 5646, 2.1.1): language lower, script title, region upper, all after a singleton lower.
function canonicalTag(tag) {
  let inExtension = false;
  return tag.toLowerCase().split('-').map((part, index) => {
    inExtension ||= index > 0 && part.length === 1;
    if (index === 0 || inExtension) return part;
    if (part.length === 4 && /^[a-z]/.test(part)) return part[0].toUpperCase() + part.slice(1);
    return part.length === 2 || /^\d{3}$/.test(part) ? part.toUpperCase() : part;
  }).join('-');
}

/** The value of an option: one of `allowed` where given, else `otherwise`; a RangeError for anything else. */
export function option(options, name, allowed, otherwise) {
  const value = options?.[name];
  if (value === undefined) return otherwise;
  if (typeof allowed[0] === 'boolean') return Boolean(value);
  const text = String(value);
  if (!allowed.includes(text)) throw new RangeError(`Value ${text} out of range for Intl options property ${name}`);
  return text;
}

/** A whole number option within [low, high], or undefined. */
export function integerOption(options, name, low, high) {
  const value = options?.[name];
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!(number >= low && number <= high)) throw new RangeError(`${name} value is out of range.`);
  return Math.floor(number);
}

/** Lets a constructor of ECMA-402's first edition be called without `new`. */
export function callable(Class) {
  return new Proxy(Class, { apply: (target, _this, args) => new target(...args) });
}

/** Finishes a class of `Intl`: its tag and `supportedLocalesOf`, which accepts every well-formed tag. */
export function intlClass(Class) {
  Object.defineProperty(Class, 'supportedLocalesOf', { value: canonicalLocales, writable: true, configurable: true });
  return webInterface(Class, `Intl.${Class.name}`);
}

export const Locale = webInterface(class Locale {
  #tag;

  constructor(tag, options = {}) {
    if (typeof tag !== 'string' && !(tag instanceof Locale)) throw new TypeError(notALocale);
    const [canonical] = canonicalLocales(String(tag));
    const { language, script, region } = subtags(canonical);
    const parts = [options.language ?? language, options.script ?? script, options.region ?? region];
    const rest = canonical.split('-').slice([language, script, region].filter((part) => part !== undefined).length);
    this.#tag = canonicalTag([...parts.filter((part) => part !== undefined), ...rest].join('-'));
  }

  get language() { return subtags(this.#tag).language; }
  get script() { return subtags(this.#tag).script; }
  get region() { return subtags(this.#tag).region; }
  get baseName() { return [this.language, this.script, this.region].filter((part) => part !== undefined).join('-'); }
  get calendar() { return undefined; }
  get numberingSystem() { return undefined; }
  get hourCycle() { return undefined; }
  maximize() { return this; }
  minimize() { return this; }
  getTextInfo() { return { direction: /^(ar|fa|he|ur)$/.test(this.language) ? 'rtl' : 'ltr' }; }
  toString() { return this.#tag; }
}, 'Intl.Locale');

function subtags(tag) {
  const [language, ...rest] = tag.split('-');
  const script = /^[A-Z][a-z]{3}$/.test(rest[0] ?? '') ? rest.shift() : undefined;
  const region = /^([A-Z]{2}|\d{3})$/.test(rest[0] ?? '') ? rest[0] : undefined;
  return { language, script, region };
}
