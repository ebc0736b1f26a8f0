// `Intl.NumberFormat` in en-US (ECMA-402, section 15).

import { decimalOf, digitsOf, roundToFraction, roundToSignificant, shifted } from './intl-decimal.js';
import { LOCALE, callable, canonicalLocales, integerOption, intlClass, option } from './intl-locale.js';
import { currencyDigits, currencyNames, currencySigns, narrowSigns, thousands, units } from './intl-number-data.js';

const NO_BREAK_SPACE = '\u00a0';
const roundingModes = [
  'halfExpand', 'ceil', 'floor', 'expand', 'trunc', 'halfCeil', 'halfFloor', 'halfTrunc', 'halfEven',
];

const NumberFormatClass = intlClass(class NumberFormat {
  #settings;
  #format = (value) => this.formatToParts(value).map((part) => part.value).join('');

  constructor(locales, options) {
    canonicalLocales(locales);
    this.#settings = settingsOf(options);
  }

  get format() {
    return this.#format;
  }

  formatToParts(value) {
    return partsOf(decimalOf(value), this.#settings);
  }

  formatRange(start, end) {
    return this.formatRangeToParts(start, end).map((part) => part.value).join('');
  }

  formatRangeToParts(start, end) {
    const [from, to] = [this.formatToParts(start), this.formatToParts(end)];
    if (this.format(start) === this.format(end)) return [{ type: 'approximatelySign', value: '~' }, ...from];
    return [...from, { type: 'literal', value: '–' }, ...to];
  }

  resolvedOptions() {
    const { digits, ...settings } = this.#settings;
    return { locale: LOCALE, numberingSystem: 'latn', ...settings, ...digits };
  }
});

/** The class `Intl.NumberFormat`; it may be called without `new`. */
export const NumberFormat = callable(NumberFormatClass);
NumberFormatClass.prototype.constructor = NumberFormat;

function settingsOf(options) {
  const style = option(options, 'style', ['decimal', 'percent', 'currency', 'unit'], 'decimal');
  const notation = option(options, 'notation', ['standard', 'scientific', 'engineering', 'compact'], 'standard');
  const settings = { style };
  if (style === 'currency') Object.assign(settings, currencySettings(options));
  if (style === 'unit') Object.assign(settings, unitSettings(options));
  settings.digits = digitSettings(options, style, notation, settings.currency);
  settings.useGrouping = groupingOf(options?.useGrouping, notation);
  settings.notation = notation;
  if (notation === 'compact') settings.compactDisplay = option(options, 'compactDisplay', ['short', 'long'], 'short');
  settings.signDisplay = option(options, 'signDisplay', ['auto', 'never', 'always', 'exceptZero', 'negative'], 'auto');
  settings.roundingMode = option(options, 'roundingMode', roundingModes, 'halfExpand');
  settings.trailingZeroDisplay = option(options, 'trailingZeroDisplay', ['auto', 'stripIfInteger'], 'auto');
  return settings;
}

function currencySettings(options) {
  const code = options.currency;
  if (code === undefined) throw new TypeError('Currency code is required with currency style.');
  if (!/^[a-z]{3}$/i.test(code)) throw new RangeError(`Invalid currency code : ${code}`);
  return {
    currency: code.toUpperCase(),
    currencyDisplay: option(options, 'currencyDisplay', ['symbol', 'narrowSymbol', 'code', 'name'], 'symbol'),
    currencySign: option(options, 'currencySign', ['standard', 'accounting'], 'standard'),
  };
}

function unitSettings(options) {
  const unit = options.unit ?? '';
  if (unit === '') throw new TypeError("Invalid unit argument for Intl.NumberFormat() ''");
  if (!String(unit).split('-per-').every((part) => Object.hasOwn(units, part))) {
    throw new RangeError(`Invalid unit argument for Intl.NumberFormat() '${unit}'`);
  }
  return { unit, unitDisplay: option(options, 'unitDisplay', ['short', 'long', 'narrow'], 'short') };
}

function groupingOf(given, notation) {
  if (given === undefined) return notation === 'compact' ? 'min2' : 'auto';
  if (given === 'min2' || given === 'auto' || given === 'always') return given;
  return given === false || given === 'false' ? false : given === true ? 'always' : 'auto';
}

// How many digits are written (ECMA-402, SetNumberFormatDigitOptions, without rounding priorities).
function digitSettings(options, style, notation, currency) {
  const digits = { minimumIntegerDigits: integerOption(options, 'minimumIntegerDigits', 1, 21) ?? 1 };
  const fewest = integerOption(options, 'minimumSignificantDigits', 1, 21);
  const most = integerOption(options, 'maximumSignificantDigits', fewest ?? 1, 21);
  if (fewest !== undefined || most !== undefined) {
    return { ...digits, minimumSignificantDigits: fewest ?? 1, maximumSignificantDigits: most ?? 21 };
  }
  const low = integerOption(options, 'minimumFractionDigits', 0, 100);
  const high = integerOption(options, 'maximumFractionDigits', 0, 100);
  if (notation === 'compact' && low === undefined && high === undefined) {
    return { ...digits, minimumFractionDigits: 0, maximumFractionDigits: 0, minimumSignificantDigits: 1,
      maximumSignificantDigits: 2 };
  }
  const isMoney = style === 'currency' && notation === 'standard';
  const usualLow = isMoney ? (currencyDigits[currency] ?? 2) : 0;
  const usualHigh = isMoney ? usualLow : style === 'percent' ? 0 : 3;
  if (low !== undefined && high !== undefined && low > high) {
    throw new RangeError('maximumFractionDigits value is out of range.');
  }
  return {
    ...digits,
    minimumFractionDigits: low ?? Math.min(usualLow, high ?? usualLow),
    maximumFractionDigits: high ?? Math.max(usualHigh, low ?? 0),
  };
}

function rounded(decimal, { digits, roundingMode }) {
  const { minimumFractionDigits, maximumFractionDigits, maximumSignificantDigits } = digits;
  if (maximumSignificantDigits === undefined) return roundToFraction(decimal, maximumFractionDigits, roundingMode);
  // Compact numbers have both limits: the one that keeps more digits counts.
  return minimumFractionDigits !== undefined && decimal.exponent > maximumSignificantDigits
    ? roundToFraction(decimal, maximumFractionDigits, roundingMode)
    : roundToSignificant(decimal, maximumSignificantDigits, roundingMode);
}

function partsOf(value, settings) {
  const { style, notation } = settings;
  const percent = style === 'percent' ? shifted(value, 2) : value;
  const { decimal, power } =
    notation === 'standard' ? { decimal: rounded(percent, settings), power: 0 } : scaled(percent, settings);
  const number = numberParts(decimal, settings);
  if (notation === 'compact' && power > 0) {
    const [short, long] = thousands[power / 3 - 1];
    if (settings.compactDisplay === 'long') number.push({ type: 'literal', value: ' ' });
    number.push({ type: 'compact', value: settings.compactDisplay === 'long' ? long : short });
  } else if ((notation === 'scientific' || notation === 'engineering') && decimal.special === undefined) {
    number.push({ type: 'exponentSeparator', value: 'E' });
    if (power < 0) number.push({ type: 'exponentMinusSign', value: '-' });
    number.push({ type: 'exponentInteger', value: String(Math.abs(power)) });
  }
  const isOne = decimal.digits === '1' && decimal.exponent === 1 && power === 0 && number.length === 1;
  return signed(decorated(number, settings, isOne), decimal, settings);
}

// The number as a part of a power of ten; rounding may carry it to the next power.
function scaled(decimal, settings) {
  const powerOf = ({ exponent, digits }) => {
    const power = digits === '' ? 0 : exponent - 1;
    if (settings.notation === 'scientific') return power;
    const grouped = Math.floor(power / 3) * 3;
    return settings.notation === 'engineering' ? grouped : Math.min(Math.max(grouped, 0), thousands.length * 3);
  };
  const power = powerOf(decimal);
  const result = rounded(shifted(decimal, -power), settings);
  const carried = powerOf(shifted(result, power));
  return { decimal: shifted(result, power - carried), power: carried };
}

function numberParts(decimal, { digits, useGrouping, trailingZeroDisplay }) {
  if (decimal.special === 'nan') return [{ type: 'nan', value: 'NaN' }];
  if (decimal.special === 'infinity') return [{ type: 'infinity', value: '∞' }];
  const significant = digits.minimumSignificantDigits ?? 0;
  const wholeDigits = decimal.digits === '' ? 1 : decimal.exponent;
  const least = Math.max(digits.minimumFractionDigits ?? 0, significant - wholeDigits, 0);
  let { whole, fraction } = digitsOf(decimal, digits.minimumIntegerDigits, least);
  if (trailingZeroDisplay === 'stripIfInteger' && /^0*$/.test(fraction)) fraction = '';
  const isGrouped = useGrouping !== false && (useGrouping !== 'min2' || whole.length > 4);
  const groups = isGrouped ? whole.replace(/\B(?=(\d{3})+$)/g, ',').split(',') : [whole];
  const parts = groups.flatMap((group, index) => [
    ...(index > 0 ? [{ type: 'group', value: ',' }] : []),
    { type: 'integer', value: group },
  ]);
  if (fraction !== '') parts.push({ type: 'decimal', value: '.' }, { type: 'fraction', value: fraction });
  return parts;
}

function decorated(number, settings, isOne) {
  if (settings.style === 'percent') return [...number, { type: 'percentSign', value: '%' }];
  if (settings.style === 'currency') return withCurrency(number, settings, isOne);
  if (settings.style === 'unit') return withUnit(number, settings, isOne);
  return number;
}

function withCurrency(number, { currency, currencyDisplay }, isOne) {
  if (currencyDisplay === 'name') {
    const name = currencyNames[currency]?.[isOne ? 1 : 2] ?? currency;
    return [...number, { type: 'literal', value: ' ' }, { type: 'currency', value: name }];
  }
  const preferred = { code: currency, narrowSymbol: narrowSigns[currency] }[currencyDisplay];
  const sign = preferred ?? currencySigns[currency] ?? currency;
  const gap = /[a-z]$/i.test(sign) && number[0].type === 'integer' ? [{ type: 'literal', value: NO_BREAK_SPACE }] : [];
  return [{ type: 'currency', value: sign }, ...gap, ...number];
}

function withUnit(number, { unit, unitDisplay }, isOne) {
  const [main, per] = unit.split('-per-');
  const one = unitText(main, unitDisplay, isOne);
  const perText = unitDisplay === 'long' ? ` per ${units[per]?.[1]}` : `/${unitText(per ?? main, 'narrow', true)}`;
  const text = per === undefined ? one : one + perText;
  return text.startsWith(' ')
    ? [...number, { type: 'literal', value: ' ' }, { type: 'unit', value: text.slice(1) }]
    : [...number, { type: 'unit', value: text }];
}

function unitText(unit, display, isOne) {
  const [short, one, several, narrow] = units[unit];
  if (display === 'long') return ` ${isOne ? one : several}`;
  const usual = Array.isArray(short) ? short[isOne ? 0 : 1] : short;
  return display === 'narrow' ? (narrow ?? usual.trimStart()) : usual;
}

function signed(parts, { negative, digits, special }, { signDisplay, currencySign }) {
  const isZero = digits === '' && special === undefined;
  const hidesMinus = signDisplay === 'never' || (isZero && ['exceptZero', 'negative'].includes(signDisplay));
  const minus = negative && !hidesMinus;
  if (minus && currencySign === 'accounting') {
    return [{ type: 'literal', value: '(' }, ...parts, { type: 'literal', value: ')' }];
  }
  if (minus) return [{ type: 'minusSign', value: '-' }, ...parts];
  const plus = signDisplay === 'always' || (signDisplay === 'exceptZero' && !isZero && special !== 'nan');
  return plus ? [{ type: 'plusSign', value: '+' }, ...parts] : parts;
}
