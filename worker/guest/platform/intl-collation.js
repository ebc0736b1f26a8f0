// `Intl.Collator` and `String.prototype.localeCompare`: the order of the CLDR root collation for Latin text, near
// enough for other scripts. Three levels: letters, then accents, then case (lower first); punctuation before digits
// before letters.

import { LOCALE, callable, canonicalLocales, intlClass, option } from './intl-locale.js';

// White space, punctuation, symbols and currency signs in collation order (CLDR root, checked against ICU 78).
const order = [
  ...'\t\n\v\f\r\u0085\u2028\u2029 ',
  ...'‾_‗-‐‒–—―,;:!¡?¿.·\'‹›"«»()[]{}‖§¶@*/\\&#%‰‱†‡•‣‧′″`´^¯¨¸°©®',
  ...'←→↑↓+±÷×<=>¬|¦~⁄',
  ...'¤¢$£¥₩₪₫€₱₹₽',
];
const symbols = new Map(order.map((char, index) => [char, index + 1]));
for (const [char, like] of [['‘', "'"], ['’', "'"], ['‚', "'"], ['“', '"'], ['”', '"'], ['„', '"']]) {
  symbols.set(char, symbols.get(like));
}
// Letters that sort as others with an accent, and do not decompose.
const expansions = {
  æ: 'ae', œ: 'oe', ß: 'ss', ø: 'o\u0338', đ: 'd\u0335', ð: 'd\u0335', ł: 'l\u0335', ħ: 'h\u0335',
};
// Accents in collation order; others follow by code point.
const accents = [...'\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307\u0335\u0338\u0327\u0328\u0304'];

const DIGIT = 1000;
const NUMBER = 1100;
const LETTER = 2000;
const COMMON = 1;

/** Collation elements of `text`: [primary, secondary, tertiary]; a primary of 0 is an accent. */
function elementsOf(text, numeric) {
  const elements = [];
  const source = numeric ? text.split(/(\d+)/) : [text];
  source.forEach((part, index) => {
    if (index % 2 === 1) pushNumber(part, elements);
    else for (const char of part.normalize('NFD')) pushChar(char, COMMON, elements);
  });
  return elements;
}

function pushNumber(text, elements) {
  const digits = text.replace(/^0+(?=\d)/, '');
  elements.push([NUMBER + Math.min(digits.length, 800), COMMON, COMMON]);
  for (const digit of digits) elements.push([DIGIT + Number(digit), COMMON, COMMON]);
}

function pushChar(char, tertiary, elements) {
  const symbol = symbols.get(char);
  if (symbol !== undefined) return void elements.push([symbol, COMMON, tertiary]);
  if (char >= '0' && char <= '9') return void elements.push([DIGIT + Number(char), COMMON, tertiary]);
  if (/^\p{M}$/u.test(char)) return void elements.push([0, accentWeight(char), COMMON]);
  // Controls and format characters (soft hyphen, joiners) count for nothing.
  if (/^[\p{Cc}\p{Cf}]$/u.test(char)) return;
  const lower = char.toLowerCase();
  const cased = lower === char ? tertiary : 3;
  const spelled = expansions[lower];
  const compatible = spelled === undefined ? compatibleWith(char) : undefined;
  if (spelled !== undefined) {
    for (const piece of spelled) pushChar(piece, cased, elements);
    if (/^[a-z]{2}$/.test(spelled)) elements.push([0, COMMON + 1, COMMON]);
  } else if (compatible !== undefined) {
    for (const piece of compatible) pushChar(piece, Math.max(cased, 2), elements);
  } else {
    const point = [...lower][0].codePointAt(0);
    elements.push([isLetter(char) ? LETTER + point : LETTER - 1, COMMON, cased]);
  }
}

const isLetter = (char) => /^[\p{L}\p{N}]$/u.test(char);

// ½, ﬁ, …: what the character is made of, where that is not itself.
function compatibleWith(char) {
  const decomposed = char.normalize('NFKD');
  return decomposed === char || char <= '\u007f' ? undefined : decomposed;
}

function accentWeight(char) {
  const place = accents.indexOf(char);
  return place === -1 ? 100 + char.codePointAt(0) : 2 + place;
}

const letters = (elements) => elements.filter(([primary]) => primary !== 0);

function compareLevel(left, right, level) {
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = left[index][level] - right[index][level];
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(left.length - right.length);
}

function compareText(left, right, { sensitivity, numeric, ignorePunctuation, caseFirst }) {
  if (left === right) return 0;
  const strip = (text) => (ignorePunctuation ? text.replace(/[\p{P}\s]/gu, '') : text);
  const [one, other] = [elementsOf(strip(left), numeric), elementsOf(strip(right), numeric)];
  const byLetter = compareLevel(letters(one), letters(other), 0);
  if (byLetter !== 0 || sensitivity === 'base') return byLetter;
  if (sensitivity === 'case') return compareLevel(letters(one), letters(other), 2);
  const byAccent = compareLevel(one, other, 1);
  if (byAccent !== 0 || sensitivity === 'accent') return byAccent;
  return compareLevel(one, other, 2) * (caseFirst === 'upper' ? -1 : 1);
}

const CollatorClass = intlClass(class Collator {
  #settings;
  #compare = (left, right) => compareText(String(left), String(right), this.#settings);

  constructor(locales, options) {
    canonicalLocales(locales);
    this.#settings = {
      usage: option(options, 'usage', ['sort', 'search'], 'sort'),
      sensitivity: option(options, 'sensitivity', ['base', 'accent', 'case', 'variant'], 'variant'),
      ignorePunctuation: option(options, 'ignorePunctuation', [true, false], false),
      collation: 'default',
      numeric: option(options, 'numeric', [true, false], false),
      caseFirst: option(options, 'caseFirst', ['upper', 'lower', 'false'], 'false'),
    };
  }

  get compare() {
    return this.#compare;
  }

  resolvedOptions() {
    return { locale: LOCALE, ...this.#settings };
  }
});

/** The class `Intl.Collator`; it may be called without `new`. */
export const Collator = callable(CollatorClass);
CollatorClass.prototype.constructor = Collator;

const usual = new CollatorClass();

/** `String.prototype.localeCompare`. */
export function localeCompare(left, right, locales, options) {
  const collator = options === undefined && locales === undefined ? usual : new CollatorClass(locales, options);
  return collator.compare(left, right);
}
