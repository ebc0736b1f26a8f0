// The en-US words and signs of numbers: currencies, units, powers of a thousand. Facts from CLDR; a currency or unit
// that is not listed is written by its code.

/** Signs by code. */
export const currencySigns = {
  AUD: 'A$', BRL: 'R$', CAD: 'CA$', CNY: 'CN¥', EUR: '€', GBP: '£', HKD: 'HK$', ILS: '₪', INR: '₹', JPY: '¥', KRW: '₩',
  MXN: 'MX$', NZD: 'NZ$', PHP: '₱', TWD: 'NT$', USD: '$', VND: '₫', XAF: 'FCFA', XCD: 'EC$', XOF: 'F\u202fCFA',
  XPF: 'CFPF',
};

/** Narrow signs by code, where they differ. */
export const narrowSigns = {
  ARS: '$', AUD: '$', CAD: '$', CLP: '$', CNY: '¥', COP: '$', CZK: 'Kč', DKK: 'kr', HKD: '$', HUF: 'Ft', IDR: 'Rp',
  MXN: '$', MYR: 'RM', NGN: '₦', NOK: 'kr', NZD: '$', PKR: 'Rs', PLN: 'zł', RUB: '₽', SEK: 'kr', SGD: '$', THB: '฿',
  TRY: '₺', TWD: '$', UAH: '₴', XCD: '$', ZAR: 'R',
};

/** Fraction digits by code, where it is not two. */
export const currencyDigits = {};
for (const code of [
  'AFN', 'ALL', 'BIF', 'CLP', 'COP', 'DJF', 'GNF', 'HUF', 'IDR', 'IQD', 'IRR', 'ISK', 'JPY', 'KMF', 'KPW', 'KRW', 'LAK',
  'LBP', 'MGA', 'MMK', 'PKR', 'PYG', 'RWF', 'SLL', 'SOS', 'SYP', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF', 'YER',
]) currencyDigits[code] = 0;
for (const code of ['BHD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']) currencyDigits[code] = 3;

/** Names by code: [of itself, of one, of several]. */
export const currencyNames = {
  AUD: ['Australian Dollar', 'Australian dollar', 'Australian dollars'],
  BRL: ['Brazilian Real', 'Brazilian real', 'Brazilian reals'],
  CAD: ['Canadian Dollar', 'Canadian dollar', 'Canadian dollars'],
  CHF: ['Swiss Franc', 'Swiss franc', 'Swiss francs'],
  CNY: ['Chinese Yuan', 'Chinese yuan', 'Chinese yuan'],
  EUR: ['Euro', 'euro', 'euros'],
  GBP: ['British Pound', 'British pound', 'British pounds'],
  INR: ['Indian Rupee', 'Indian rupee', 'Indian rupees'],
  JPY: ['Japanese Yen', 'Japanese yen', 'Japanese yen'],
  KRW: ['South Korean Won', 'South Korean won', 'South Korean won'],
  MXN: ['Mexican Peso', 'Mexican peso', 'Mexican pesos'],
  USD: ['US Dollar', 'US dollar', 'US dollars'],
};

/** Units: [short, of one, of several, narrow]; a leading space separates; 'short' may be [one, several]. */
export const units = {
  acre: [' ac', 'acre', 'acres'],
  bit: [' bit', 'bit', 'bits'],
  byte: [' byte', 'byte', 'bytes', 'B'],
  celsius: ['°C', 'degree Celsius', 'degrees Celsius'],
  centimeter: [' cm', 'centimeter', 'centimeters'],
  day: [[' day', ' days'], 'day', 'days', 'd'],
  degree: [' deg', 'degree', 'degrees', '°'],
  fahrenheit: ['°F', 'degree Fahrenheit', 'degrees Fahrenheit', '°'],
  'fluid-ounce': [' fl oz', 'fluid ounce', 'fluid ounces'],
  foot: [' ft', 'foot', 'feet', '′'],
  gallon: [' gal', 'gallon', 'gallons'],
  gigabit: [' Gb', 'gigabit', 'gigabits'],
  gigabyte: [' GB', 'gigabyte', 'gigabytes'],
  gram: [' g', 'gram', 'grams'],
  hectare: [' ha', 'hectare', 'hectares'],
  hour: [' hr', 'hour', 'hours', 'h'],
  inch: [' in', 'inch', 'inches', '″'],
  kilobit: [' kb', 'kilobit', 'kilobits'],
  kilobyte: [' kB', 'kilobyte', 'kilobytes'],
  kilogram: [' kg', 'kilogram', 'kilograms'],
  kilometer: [' km', 'kilometer', 'kilometers'],
  liter: [' L', 'liter', 'liters'],
  megabit: [' Mb', 'megabit', 'megabits'],
  megabyte: [' MB', 'megabyte', 'megabytes'],
  meter: [' m', 'meter', 'meters'],
  microsecond: [' μs', 'microsecond', 'microseconds'],
  mile: [' mi', 'mile', 'miles'],
  'mile-scandinavian': [' smi', 'mile-scandinavian', 'miles-scandinavian'],
  milliliter: [' mL', 'milliliter', 'milliliters'],
  millimeter: [' mm', 'millimeter', 'millimeters'],
  millisecond: [' ms', 'millisecond', 'milliseconds'],
  minute: [' min', 'minute', 'minutes', 'm'],
  month: [[' mth', ' mths'], 'month', 'months', 'm'],
  nanosecond: [' ns', 'nanosecond', 'nanoseconds'],
  ounce: [' oz', 'ounce', 'ounces'],
  percent: ['%', 'percent', 'percent'],
  petabyte: [' PB', 'petabyte', 'petabytes'],
  pound: [' lb', 'pound', 'pounds', '#'],
  second: [' sec', 'second', 'seconds', 's'],
  stone: [' st', 'stone', 'stones'],
  terabit: [' Tb', 'terabit', 'terabits'],
  terabyte: [' TB', 'terabyte', 'terabytes'],
  week: [[' wk', ' wks'], 'week', 'weeks', 'w'],
  yard: [' yd', 'yard', 'yards'],
  year: [[' yr', ' yrs'], 'year', 'years', 'y'],
};

/** Powers of a thousand, from 10^3 on: [short, long]. */
export const thousands = [['K', 'thousand'], ['M', 'million'], ['B', 'billion'], ['T', 'trillion']];
