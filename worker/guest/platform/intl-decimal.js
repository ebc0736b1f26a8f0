// Exact decimal digits of a number, rounded as ECMA-402 rounds: on the shortest decimal text that names the number,
// not on its binary value (1.005 to two digits is 1.01).

/**
 * A number as {negative, digits, exponent}: 0.d1d2d3… × 10^exponent, without leading zeros; zero has no digits.
 * `special` is 'nan' or 'infinity' for what has no digits.
 */
export function decimalOf(value) {
  const number = typeof value === 'string' && isDecimalText(value) ? value.trim() : toNumeric(value);
  const text = Object.is(number, -0) ? '-0' : String(number);
  const negative = text.startsWith('-');
  if (text === 'NaN') return { negative: false, digits: '', exponent: 0, special: 'nan' };
  if (text.endsWith('Infinity')) return { negative, digits: '', exponent: 0, special: 'infinity' };
  const [mantissa, power = '0'] = text.replace(/^[-+]/, '').toLowerCase().split('e');
  const [whole, fraction = ''] = mantissa.split('.');
  return trimmed({ negative, digits: whole + fraction, exponent: whole.length + Number(power) });
}

const isDecimalText = (text) => /^\s*[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/i.test(text);
const toNumeric = (value) => (typeof value === 'bigint' ? value : Number(value));

function trimmed({ negative, digits, exponent }) {
  const leading = /^0*/.exec(digits)[0].length;
  const kept = digits.slice(leading).replace(/0+$/, '');
  return { negative, digits: kept, exponent: kept === '' ? 0 : exponent - leading };
}

/** Rounds to `places` digits after the point (before it where negative). */
export function roundToFraction(decimal, places, mode = 'halfExpand') {
  return roundToLength(decimal, decimal.exponent + places, mode);
}

/** Rounds to `count` significant digits. */
export function roundToSignificant(decimal, count, mode = 'halfExpand') {
  return roundToLength(decimal, count, mode);
}

function roundToLength(decimal, length, mode) {
  const { negative, digits, exponent } = decimal;
  if (decimal.special !== undefined || digits.length <= length) return decimal;
  const kept = length > 0 ? digits.slice(0, length) : '';
  if (!roundsAway(digits, length, negative, mode)) return trimmed({ negative, digits: kept, exponent });
  if (length <= 0) return { negative, digits: '1', exponent: exponent - length + 1 };
  const grown = String(BigInt(kept) + 1n).padStart(kept.length, '0');
  return trimmed({ negative, digits: grown, exponent: exponent + grown.length - kept.length });
}

// Whether the digits cut off at `length` (not all zero) move the result away from zero.
function roundsAway(digits, length, negative, mode) {
  const first = length < 0 ? 0 : Number(digits[length]);
  const isHalf = first === 5 && digits.length === length + 1;
  switch (mode) {
    case 'trunc':
      return false;
    case 'expand':
      return true;
    case 'ceil':
      return !negative;
    case 'floor':
      return negative;
    case 'halfTrunc':
      return first >= 5 && !isHalf;
    case 'halfCeil':
      return isHalf ? !negative : first >= 5;
    case 'halfFloor':
      return isHalf ? negative : first >= 5;
    case 'halfEven':
      return isHalf ? Number(digits[length - 1] ?? 0) % 2 === 1 : first >= 5;
    default:
      return first >= 5;
  }
}

/** Multiplies by a power of ten. */
export function shifted(decimal, power) {
  return decimal.digits === '' ? decimal : { ...decimal, exponent: decimal.exponent + power };
}

/** The digits before and after the point, at least as many as asked for. */
export function digitsOf({ digits, exponent }, minimumInteger, minimumFraction) {
  const whole = exponent <= 0 ? '' : digits.slice(0, exponent).padEnd(exponent, '0');
  const fraction = exponent <= 0 ? '0'.repeat(digits === '' ? 0 : -exponent) + digits : digits.slice(exponent);
  return { whole: whole.padStart(minimumInteger, '0'), fraction: fraction.padEnd(minimumFraction, '0') };
}
