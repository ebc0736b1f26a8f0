// `Intl` in en-US and UTC, and the methods of the language that use it. Expected values are those of ICU.

const date = new Date(Date.UTC(2024, 2, 5, 14, 7, 9, 45));
const formatDate = (options) => new Intl.DateTimeFormat('en-US', options).format(date);
const formatNumber = (value, options) => new Intl.NumberFormat('en-US', options).format(value);
const named = (call) => {
  try {
    return call();
  } catch (error) {
    return error.name;
  }
};

export const cases = [
  ...[
    [{}, '3/5/2024'],
    [{ year: 'numeric', month: 'short', day: 'numeric' }, 'Mar 5, 2024'],
    [
      { year: 'numeric', month: 'short', day: 'numeric', hour12: true, hour: 'numeric', minute: '2-digit' },
      'Mar 5, 2024, 2:07 PM',
    ],
    [{ month: 'long', day: 'numeric', hour: 'numeric' }, 'March 5 at 2 PM'],
    [{ weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }, 'Tuesday, March 5, 2024'],
    [{ weekday: 'short', month: 'numeric', day: 'numeric' }, 'Tue, 3/5'],
    [{ month: 'long', year: 'numeric' }, 'March 2024'],
    [{ month: '2-digit', day: '2-digit', year: '2-digit' }, '03/05/24'],
    [{ hour: '2-digit', minute: '2-digit' }, '02:07 PM'],
    [{ hour: '2-digit', minute: '2-digit', hour12: false }, '14:07'],
    [{ hour: 'numeric', minute: 'numeric', second: 'numeric', fractionalSecondDigits: 3 }, '2:07:09.045 PM'],
    [{ timeZoneName: 'short' }, '3/5/2024, UTC'],
    [{ year: 'numeric', era: 'short' }, '2024 AD'],
    [{ dateStyle: 'full', timeStyle: 'long' }, 'Tuesday, March 5, 2024 at 2:07:09 PM UTC'],
    [{ dateStyle: 'medium', timeStyle: 'short' }, 'Mar 5, 2024, 2:07 PM'],
    [{ dateStyle: 'short' }, '3/5/24'],
    [{ timeStyle: 'short', timeZone: '+05:30' }, '7:37 PM'],
  ].map(([options, expected]) => [`date ${JSON.stringify(options)}`, () => formatDate(options), expected]),
  [
    'date parts',
    () => new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' }).formatToParts(date),
    [
      { type: 'month', value: 'Mar' },
      { type: 'literal', value: ' ' },
      { type: 'day', value: '5' },
    ],
  ],
  ['date without an argument', () => new Intl.DateTimeFormat().format(), '1/1/2026'],
  [
    'resolved date options',
    () => {
      const { locale, timeZone, calendar, hourCycle } = new Intl.DateTimeFormat('de', {
        hour: 'numeric',
      }).resolvedOptions();
      return [locale, timeZone, calendar, hourCycle];
    },
    ['en-US', 'UTC', 'gregory', 'h12'],
  ],
  [
    'bad dates and options',
    () => [
      named(() => new Intl.DateTimeFormat().format(new Date(NaN))),
      named(() => new Intl.DateTimeFormat('en', { month: 'x' })),
      named(() => new Intl.DateTimeFormat('en', { timeZone: 'no zone' })),
      named(() => new Intl.NumberFormat('not a tag')),
      named(() => new Intl.DateTimeFormat('en', { dateStyle: 'full', month: 'long' })),
    ],
    ['RangeError', 'RangeError', 'RangeError', 'RangeError', 'TypeError'],
  ],
  [
    'methods of Date',
    () => [
      date.toLocaleString(),
      date.toLocaleDateString(),
      date.toLocaleTimeString(),
      date.toLocaleString('default', { month: 'short' }),
      date.toLocaleDateString('en-US', { weekday: 'long' }),
      date.toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit' }),
      new Date(NaN).toLocaleDateString(),
    ],
    ['3/5/2024, 2:07:09 PM', '3/5/2024', '2:07:09 PM', 'Mar', 'Tuesday', '2:07 PM', 'Invalid Date'],
  ],

  ...[
    [1234567.891, undefined, '1,234,567.891'],
    [-0, undefined, '-0'],
    [NaN, undefined, 'NaN'],
    [-Infinity, undefined, '-∞'],
    [1e21, undefined, '1,000,000,000,000,000,000,000'],
    [1e-10, undefined, '0'],
    [1.005, { maximumFractionDigits: 2 }, '1.01'],
    [2.5, { maximumFractionDigits: 0 }, '3'],
    [2.5, { maximumFractionDigits: 0, roundingMode: 'halfEven' }, '2'],
    [5, { minimumFractionDigits: 2 }, '5.00'],
    [5, { minimumIntegerDigits: 3 }, '005'],
    [123.456, { maximumSignificantDigits: 2 }, '120'],
    [1234, { useGrouping: false }, '1234'],
    [1234.5, { style: 'currency', currency: 'USD' }, '$1,234.50'],
    [-1234.5, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 }, '-$1,235'],
    [-1234.5, { style: 'currency', currency: 'usd', currencySign: 'accounting' }, '($1,234.50)'],
    [1234.5, { style: 'currency', currency: 'JPY' }, '¥1,235'],
    [1234.5, { style: 'currency', currency: 'CHF' }, 'CHF\u00a01,234.50'],
    [2, { style: 'currency', currency: 'EUR', currencyDisplay: 'name' }, '2.00 euros'],
    [0.256, { style: 'percent' }, '26%'],
    [1234, { notation: 'compact' }, '1.2K'],
    [999999, { notation: 'compact' }, '1M'],
    [1500000, { notation: 'compact', compactDisplay: 'long' }, '1.5 million'],
    [123456, { notation: 'scientific' }, '1.235E5'],
    [123456, { notation: 'engineering' }, '123.456E3'],
    [5, { style: 'unit', unit: 'kilometer-per-hour' }, '5 km/h'],
    [1, { style: 'unit', unit: 'liter', unitDisplay: 'long' }, '1 liter'],
    [16, { style: 'unit', unit: 'celsius' }, '16°C'],
    [5, { signDisplay: 'always' }, '+5'],
    ['123456789012345678901234567890.5', undefined, '123,456,789,012,345,678,901,234,567,890.5'],
  ].map(([value, options, expected]) => [
    `number ${value} ${JSON.stringify(options ?? {})}`,
    () => formatNumber(value, options),
    expected,
  ]),
  [
    'number parts',
    () =>
      new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
        .formatToParts(1234)
        .map(({ type, value }) => `${type} ${value}`),
    ['currency $', 'integer 1', 'group ,', 'integer 234'],
  ],
  ['format is bound', () => [1, 2000].map(new Intl.NumberFormat().format), ['1', '2,000']],
  ['without new', () => Intl.NumberFormat() instanceof Intl.NumberFormat, true],
  [
    'resolved number options',
    () => {
      const { locale, style, minimumFractionDigits, maximumFractionDigits, currency } = new Intl.NumberFormat(
        undefined,
        { style: 'currency', currency: 'USD' },
      ).resolvedOptions();
      return { locale, style, minimumFractionDigits, maximumFractionDigits, currency };
    },
    { locale: 'en-US', style: 'currency', minimumFractionDigits: 2, maximumFractionDigits: 2, currency: 'USD' },
  ],
  [
    'what numbers refuse',
    () => [
      named(() => formatNumber(1, { style: 'currency' })),
      named(() => formatNumber(1, { style: 'currency', currency: 'US' })),
      named(() => formatNumber(1, { maximumFractionDigits: 200 })),
      named(() => formatNumber(1, { style: 'unit', unit: 'x' })),
    ],
    ['TypeError', 'RangeError', 'RangeError', 'RangeError'],
  ],
  [
    'methods of the language',
    () => [
      (1234.5).toLocaleString(),
      (0.5).toLocaleString('en-US', { style: 'percent' }),
      12345678901234567890n.toLocaleString(),
      [1234.5, null, 'x'].toLocaleString(),
      'ÀB'.toLocaleLowerCase('en'),
    ],
    ['1,234.5', '50%', '12,345,678,901,234,567,890', '1,234.5,,x', 'àb'],
  ],

  [
    'plurals',
    () => [
      [0, 1, 1.5, 2].map((value) => new Intl.PluralRules('en').select(value)),
      [1, 2, 3, 4, 11, 12, 13, 21, 112].map((value) => new Intl.PluralRules('en', { type: 'ordinal' }).select(value)),
    ],
    [
      ['other', 'one', 'other', 'other'],
      ['one', 'two', 'few', 'other', 'other', 'other', 'other', 'one', 'other'],
    ],
  ],
  [
    'lists',
    () => [
      new Intl.ListFormat('en').format(['a', 'b', 'c']),
      new Intl.ListFormat('en').format(['a', 'b']),
      new Intl.ListFormat('en', { type: 'disjunction' }).format(['a', 'b', 'c']),
      new Intl.ListFormat('en', { style: 'short' }).format(['a', 'b']),
    ],
    ['a, b, and c', 'a and b', 'a, b, or c', 'a & b'],
  ],
  [
    'relative times',
    () => [
      new Intl.RelativeTimeFormat('en').format(-1, 'day'),
      new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-1, 'day'),
      new Intl.RelativeTimeFormat('en').format(2, 'weeks'),
      new Intl.RelativeTimeFormat('en', { style: 'short' }).format(-3, 'month'),
      new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(1, 'year'),
    ],
    ['1 day ago', 'yesterday', 'in 2 weeks', '3 mo. ago', 'next year'],
  ],
  [
    'names',
    () => [
      new Intl.DisplayNames('en', { type: 'region' }).of('US'),
      new Intl.DisplayNames('en', { type: 'currency' }).of('USD'),
      new Intl.DisplayNames('en', { type: 'language' }).of('xx'),
    ],
    ['United States', 'US Dollar', 'xx'],
  ],
  [
    'segments',
    () => [
      [...new Intl.Segmenter('en').segment('e\u0301👨‍👩‍👧🇩🇪x')].map(({ segment }) => segment),
      [...new Intl.Segmenter('en', { granularity: 'word' }).segment("It's 3.14!")]
        .filter((part) => part.isWordLike)
        .map((part) => part.segment),
      [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment('Hello. You?')].map(({ segment }) => segment),
    ],
    [
      ['e\u0301', '👨‍👩‍👧', '🇩🇪', 'x'],
      ["It's", '3.14'],
      ['Hello. ', 'You?'],
    ],
  ],
  [
    'locales',
    () => [
      Intl.getCanonicalLocales(['EN-us', 'zh-hant-tw']),
      new Intl.Locale('de-Latn-AT').region,
      Intl.NumberFormat.supportedLocalesOf('fr'),
      Intl.supportedValuesOf('timeZone'),
    ],
    [['en-US', 'zh-Hant-TW'], 'AT', ['fr'], ['UTC']],
  ],

  [
    'collation: case and accents',
    () => ['b', 'a', 'B', 'A', 'á', 'Z', '_', '1', 'ä', 'z', '-', ' '].sort((a, b) => a.localeCompare(b)),
    [' ', '_', '-', '1', 'a', 'A', 'á', 'ä', 'b', 'B', 'z', 'Z'],
  ],
  [
    'collation: words',
    () =>
      ['résumé', 'Resume', 'resume', 'co-op', 'coop', 'Zoë', 'zebra', 'straße', 'strasse', 'strate'].sort(
        new Intl.Collator('en').compare,
      ),
    ['co-op', 'coop', 'resume', 'Resume', 'résumé', 'strasse', 'straße', 'strate', 'zebra', 'Zoë'],
  ],
  [
    'collation: numeric',
    () => ['item10', 'item2', 'item1'].sort(new Intl.Collator(undefined, { numeric: true }).compare),
    ['item1', 'item2', 'item10'],
  ],
  [
    'collation: sensitivity',
    () =>
      ['base', 'accent', 'case', 'variant'].map((sensitivity) =>
        ['á', 'A'].map((other) => 'a'.localeCompare(other, 'en', { sensitivity })),
      ),
    [
      [0, 0],
      [-1, 0],
      [0, -1],
      [-1, -1],
    ],
  ],
  [
    'collation: equal',
    () => ['a'.localeCompare('a'), 'e\u0301'.localeCompare('é'), 'a'.localeCompare('b'), 'b'.localeCompare('a')],
    [0, 0, -1, 1],
  ],
];
