// `Intl.DateTimeFormat` in en-US and the Gregorian calendar (ECMA-402, section 11). The only clock is UTC: a fixed
// offset (`+05:30`) is honoured, any other zone name is accepted and its dates come out in UTC.

import { LOCALE, callable, canonicalLocales, integerOption, intlClass, option } from './intl-locale.js';
import { dateParts } from './intl-date-patterns.js';

const textOrNumber = ['numeric', '2-digit', 'long', 'short', 'narrow'];
const words = ['long', 'short', 'narrow'];
const numbers = ['numeric', '2-digit'];
const fieldValues = {
  weekday: words, era: words, year: numbers, month: textOrNumber, day: numbers, dayPeriod: words, hour: numbers,
  minute: numbers, second: numbers,
  timeZoneName: ['short', 'long', 'shortOffset', 'longOffset', 'shortGeneric', 'longGeneric'],
};
const styles = ['full', 'long', 'medium', 'short'];
const dateFields = ['weekday', 'year', 'month', 'day'];
const timeFields = ['dayPeriod', 'hour', 'minute', 'second', 'fractionalSecondDigits'];

let makeFormat;

const DateTimeFormatClass = intlClass(class DateTimeFormat {
  #settings;
  #format = (date) => textOf(this.formatToParts(date));

  static {
    makeFormat = (locales, options, required, defaults) => {
      const format = new DateTimeFormat(locales);
      format.#settings = settingsOf(options, required, defaults);
      return format;
    };
  }

  constructor(locales, options) {
    canonicalLocales(locales);
    this.#settings = settingsOf(options, 'any', 'date');
  }

  get format() {
    return this.#format;
  }

  formatToParts(date) {
    return dateParts(timeValue(date), this.#settings);
  }

  formatRange(start, end) {
    return textOf(this.formatRangeToParts(start, end));
  }

  formatRangeToParts(start, end) {
    const [from, to] = [start, end].map((date, index) =>
      this.formatToParts(date).map((part) => ({ ...part, source: ['startRange', 'endRange'][index] })));
    if (textOf(from) === textOf(to)) return from.map((part) => ({ ...part, source: 'shared' }));
    return [...from, { type: 'literal', value: '\u2009–\u2009', source: 'shared' }, ...to];
  }

  resolvedOptions() {
    const { offset, ...settings } = this.#settings;
    return { locale: LOCALE, calendar: 'gregory', numberingSystem: 'latn', ...settings };
  }
});

/** The class `Intl.DateTimeFormat`; it may be called without `new`. */
export const DateTimeFormat = callable(DateTimeFormatClass);
DateTimeFormatClass.prototype.constructor = DateTimeFormat;

/** `Date.prototype.toLocaleString` and its like: `required` and `defaults` are 'date', 'time' or 'any' and 'all'. */
export function localeDate(date, locales, options, required, defaults) {
  if (Number.isNaN(date.getTime())) return 'Invalid Date';
  return makeFormat(locales, options, required, defaults).format(date);
}

const textOf = (parts) => parts.map((part) => part.value).join('');

function timeValue(date) {
  const time = date === undefined ? Date.now() : Number(date);
  if (!(Math.abs(time) <= 8.64e15)) throw new RangeError('Invalid time value');
  return Math.trunc(time);
}

function settingsOf(options, required, defaults) {
  const settings = zoneOf(options?.timeZone);
  const { hourCycle, hour12 } = hourCycleOf(options);
  const fields = {};
  for (const [name, allowed] of Object.entries(fieldValues)) {
    const value = option(options, name, allowed, undefined);
    if (value !== undefined) fields[name] = value;
  }
  const fraction = integerOption(options, 'fractionalSecondDigits', 1, 3);
  if (fraction !== undefined) fields.fractionalSecondDigits = fraction;
  const dateStyle = option(options, 'dateStyle', styles, undefined);
  const timeStyle = option(options, 'timeStyle', styles, undefined);
  if (dateStyle !== undefined || timeStyle !== undefined) {
    refuseMixture(fields, dateStyle, timeStyle, required);
    return clocked({ ...settings, ...given({ dateStyle, timeStyle }) }, timeStyle !== undefined, hourCycle, hour12);
  }
  addDefaults(fields, required, defaults);
  return clocked({ ...settings, ...fields }, fields.hour !== undefined, hourCycle, hour12);
}

const given = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

function clocked(settings, hasHour, hourCycle, hour12) {
  return hasHour ? { ...settings, hourCycle, hour12 } : settings;
}

function hourCycleOf(options) {
  const cycle = option(options, 'hourCycle', ['h11', 'h12', 'h23', 'h24'], 'h12');
  const hour12 = options?.hour12 === undefined ? cycle === 'h11' || cycle === 'h12' : Boolean(options.hour12);
  return { hour12, hourCycle: options?.hour12 === undefined ? cycle : hour12 ? 'h12' : 'h23' };
}

function refuseMixture(fields, dateStyle, timeStyle, required) {
  const [mixed] = Object.keys(fields);
  const style = dateStyle === undefined ? 'timeStyle' : 'dateStyle';
  if (mixed !== undefined) throw new TypeError(`Can't set option ${mixed} when ${style} is used`);
  if ((required === 'date' && timeStyle !== undefined) || (required === 'time' && dateStyle !== undefined)) {
    throw new TypeError(`Invalid option : ${required === 'date' ? 'timeStyle' : 'dateStyle'}`);
  }
}

function addDefaults(fields, required, defaults) {
  const asked = (names) => names.some((name) => fields[name] !== undefined);
  if (required !== 'time' && asked(dateFields)) return;
  if (required !== 'date' && asked(timeFields)) return;
  if (defaults !== 'time') Object.assign(fields, { year: 'numeric', month: 'numeric', day: 'numeric' });
  if (defaults !== 'date') Object.assign(fields, { hour: 'numeric', minute: 'numeric', second: 'numeric' });
}

/** {timeZone, offset in milliseconds}. */
function zoneOf(zone) {
  if (zone === undefined) return { timeZone: 'UTC', offset: 0 };
  const name = String(zone);
  const fixed = /^([+-])(\d\d)(?::?(\d\d))?$/.exec(name);
  if (fixed !== null && Number(fixed[2]) < 24 && Number(fixed[3] ?? 0) < 60) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3] ?? 0);
    const offset = (fixed[1] === '-' ? -minutes : minutes) * 60_000;
    return { timeZone: `${fixed[1]}${fixed[2]}:${fixed[3] ?? '00'}`, offset };
  }
  if (/^(utc|gmt|etc\/(utc|gmt))$/i.test(name)) return { timeZone: 'UTC', offset: 0 };
  if (!/^[a-z]+([_-][a-z]+)*(\/[a-z0-9+]+([_-][a-z0-9]+)*)+$/i.test(name) && !/^[A-Z]{3}(\d[A-Z]{3})?$/.test(name)) {
    throw new RangeError(`Invalid time zone specified: ${name}`);
  }
  return { timeZone: name, offset: 0 };
}
