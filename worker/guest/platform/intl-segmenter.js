// `Intl.Segmenter` by approximation of UAX #29: characters with their marks, joiners and flags; words; sentences.

import { LOCALE, canonicalLocales, intlClass, option } from './intl-locale.js';

const emoji = '\\p{Extended_Pictographic}[\\u{1F3FB}-\\u{1F3FF}\\uFE0F]*';
const together = `\\r\\n|\\p{Regional_Indicator}{2}|${emoji}(?:\\u200D${emoji})*`;
const patterns = {
  grapheme: new RegExp(`${together}|[^][\\p{M}\\u200D\\u{1F3FB}-\\u{1F3FF}]*`, 'gu'),
  // Letters and digits with the punctuation that is inside of words (it's, 3.14); spaces; any other character.
  word: new RegExp(
    `[\\p{L}\\p{N}_][\\p{L}\\p{N}\\p{M}_]*(?:['’.,:·][\\p{L}\\p{N}\\p{M}_]+)*|${together}|[^\\S\\r\\n]+|[^]`, 'gu'),
  sentence: /[^]*?(?:[.!?]+["'”’)\]]*\s+|\r\n|[\n\u2029]|$)/gu,
};

const isWord = (segment) => /[\p{L}\p{N}]/u.test(segment);

class Segments {
  #text;
  #granularity;

  constructor(text, granularity) {
    this.#text = text;
    this.#granularity = granularity;
  }

  *[Symbol.iterator]() {
    for (const { 0: segment, index } of this.#text.matchAll(patterns[this.#granularity])) {
      if (segment === '') continue;
      const data = { segment, index, input: this.#text };
      yield this.#granularity === 'word' ? { ...data, isWordLike: isWord(segment) } : data;
    }
  }

  containing(position = 0) {
    for (const data of this) {
      if (position < data.index + data.segment.length) return position < 0 ? undefined : data;
    }
    return undefined;
  }
}

export const Segmenter = intlClass(class Segmenter {
  #granularity;

  constructor(locales, options) {
    canonicalLocales(locales);
    this.#granularity = option(options, 'granularity', ['grapheme', 'word', 'sentence'], 'grapheme');
  }

  segment(text) {
    return new Segments(String(text), this.#granularity);
  }

  resolvedOptions() {
    return { locale: LOCALE, granularity: this.#granularity };
  }
});
