// The parts of `Intl` that choose words, in English: plurals, lists, relative times, names of things.

import { LOCALE, canonicalLocales, intlClass, option } from './intl-locale.js';
import { currencyNames } from './intl-number-data.js';
import { NumberFormat } from './intl-number.js';

export const PluralRules = intlClass(class PluralRules {
  #type;
  #numbers;

  constructor(locales, options) {
    canonicalLocales(locales);
    this.#type = option(options, 'type', ['cardinal', 'ordinal'], 'cardinal');
    this.#numbers = new NumberFormat(LOCALE, { ...options, style: 'decimal', useGrouping: false });
  }

  select(value) {
    const number = Number(value);
    return this.#type === 'ordinal' ? ordinal(Math.abs(number)) : cardinal(this.#numbers.format(number));
  }

  selectRange(start, end) {
    return this.select(end);
  }

  resolvedOptions() {
    const { minimumIntegerDigits, minimumFractionDigits, maximumFractionDigits } = this.#numbers.resolvedOptions();
    return {
      locale: LOCALE, type: this.#type, minimumIntegerDigits, minimumFractionDigits, maximumFractionDigits,
      pluralCategories: this.#type === 'ordinal' ? ['few', 'one', 'two', 'other'] : ['one', 'other'],
    };
  }
});

// One is 'one' only where no fraction is written: 1 day, 1.0 days.
const cardinal = (written) => (written === '1' || written === '-1' ? 'one' : 'other');

function ordinal(number) {
  const [units, teens] = [number % 10, number % 100];
  if (units === 1 && teens !== 11) return 'one';
  if (units === 2 && teens !== 12) return 'two';
  return units === 3 && teens !== 13 ? 'few' : 'other';
}

export const ListFormat = intlClass(class ListFormat {
  #type;
  #style;

  constructor(locales, options) {
    canonicalLocales(locales);
    this.#type = option(options, 'type', ['conjunction', 'disjunction', 'unit'], 'conjunction');
    this.#style = option(options, 'style', ['long', 'short', 'narrow'], 'long');
  }

  format(list) {
    return this.formatToParts(list).map((part) => part.value).join('');
  }

  formatToParts(list) {
    const items = Array.from(list, (value) => {
      if (typeof value !== 'string') throw new TypeError('Iterable yielded a value which is not a string');
      return { type: 'element', value };
    });
    const { between, last, pair } = this.#joints();
    return items.flatMap((item, index) => {
      if (index === 0) return [item];
      const value = items.length === 2 ? pair : index === items.length - 1 ? last : between;
      return [{ type: 'literal', value }, item];
    });
  }

  resolvedOptions() {
    return { locale: LOCALE, type: this.#type, style: this.#style };
  }

  #joints() {
    if (this.#type === 'disjunction') return { between: ', ', last: ', or ', pair: ' or ' };
    if (this.#type === 'unit' && this.#style === 'narrow') return { between: ' ', last: ' ', pair: ' ' };
    if (this.#type === 'unit' || this.#style === 'narrow') return { between: ', ', last: ', ', pair: ', ' };
    const and = this.#style === 'short' ? '&' : 'and';
    return { between: ', ', last: `, ${and} `, pair: ` ${and} ` };
  }
});

/** Units of relative time: [short of one, short of several, narrow]. */
const spans = {
  second: [' sec.', ' sec.', 's'], minute: [' min.', ' min.', 'm'], hour: [' hr.', ' hr.', 'h'],
  day: [' day', ' days', 'd'], week: [' wk.', ' wk.', 'w'], month: [' mo.', ' mo.', 'mo'],
  quarter: [' qtr.', ' qtrs.', 'q'], year: [' yr.', ' yr.', 'y'],
};

/** What `numeric: 'auto'` says instead of a number, as far as it is irregular. */
const near = {
  second: { 0: 'now' }, minute: { 0: 'this minute' }, hour: { 0: 'this hour' },
  day: { '-1': 'yesterday', 0: 'today', 1: 'tomorrow' },
};

export const RelativeTimeFormat = intlClass(class RelativeTimeFormat {
  #style;
  #numeric;

  constructor(locales, options) {
    canonicalLocales(locales);
    this.#style = option(options, 'style', ['long', 'short', 'narrow'], 'long');
    this.#numeric = option(options, 'numeric', ['always', 'auto'], 'always');
  }

  format(value, unit) {
    return this.formatToParts(value, unit).map((part) => part.value).join('');
  }

  formatToParts(value, unit) {
    const span = String(unit).replace(/s$/, '');
    if (!Object.hasOwn(spans, span)) throw new RangeError(`Invalid unit argument for format() '${unit}'`);
    const number = Number(value);
    if (!Number.isFinite(number)) throw new RangeError('The value must be finite');
    const word = this.#numeric === 'auto' ? this.#word(number, span) : undefined;
    if (word !== undefined) return [{ type: 'literal', value: word }];
    const isPast = number < 0 || Object.is(number, -0);
    const digits = new NumberFormat().formatToParts(Math.abs(number)).map((part) => ({ ...part, unit: span }));
    const name = this.#name(span, Math.abs(number) === 1);
    return isPast
      ? [...digits, { type: 'literal', value: `${name} ago` }]
      : [{ type: 'literal', value: 'in ' }, ...digits, { type: 'literal', value: name }];
  }

  resolvedOptions() {
    return { locale: LOCALE, style: this.#style, numeric: this.#numeric, numberingSystem: 'latn' };
  }

  #name(span, isOne) {
    const [one, several, narrow] = spans[span];
    if (this.#style === 'long') return ` ${span}${isOne ? '' : 's'}`;
    return this.#style === 'narrow' ? narrow : isOne ? one : several;
  }

  #word(number, span) {
    if (near[span] !== undefined) return near[span][number];
    const name = this.#style === 'long' ? ` ${span}` : spans[span][0];
    return { '-1': `last${name}`, 0: `this${name}`, 1: `next${name}` }[number];
  }
});

const names = {
  region: {
    AU: 'Australia', BR: 'Brazil', CA: 'Canada', CH: 'Switzerland', CN: 'China', DE: 'Germany', ES: 'Spain',
    FR: 'France', GB: 'United Kingdom', IN: 'India', IT: 'Italy', JP: 'Japan', KR: 'South Korea', MX: 'Mexico',
    NL: 'Netherlands', US: 'United States',
  },
  language: {
    ar: 'Arabic', de: 'German', en: 'English', 'en-US': 'American English', 'en-GB': 'British English', es: 'Spanish',
    fr: 'French', hi: 'Hindi', it: 'Italian', ja: 'Japanese', ko: 'Korean', nl: 'Dutch', pt: 'Portuguese',
    ru: 'Russian', zh: 'Chinese',
  },
  script: { Arab: 'Arabic', Cyrl: 'Cyrillic', Grek: 'Greek', Latn: 'Latin' },
  currency: Object.fromEntries(Object.entries(currencyNames).map(([code, [name]]) => [code, name])),
  calendar: { gregory: 'Gregorian Calendar' },
  dateTimeField: { day: 'day', hour: 'hour', minute: 'minute', month: 'month', second: 'second', year: 'year' },
};

/** Knows the common names; any other code is its own name. */
export const DisplayNames = intlClass(class DisplayNames {
  #settings;

  constructor(locales, options) {
    canonicalLocales(locales);
    const type = option(options, 'type', Object.keys(names), undefined);
    if (type === undefined) throw new TypeError('Required option "type" must not be undefined');
    this.#settings = {
      style: option(options, 'style', ['long', 'short', 'narrow'], 'long'),
      type,
      fallback: option(options, 'fallback', ['code', 'none'], 'code'),
    };
  }

  of(code) {
    const { type, fallback } = this.#settings;
    return names[type][code] ?? (fallback === 'code' ? String(code) : undefined);
  }

  resolvedOptions() {
    return { locale: LOCALE, ...this.#settings };
  }
});
