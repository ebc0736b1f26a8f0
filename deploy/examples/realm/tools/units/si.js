/** The powers of ten that go before a unit's symbol. */
export const prefixes = { milli: 1e-3, centi: 1e-2, '': 1, kilo: 1e3 };

/** A unit with each prefix: `metre` gives millimetre, centimetre, metre and kilometre. */
export const prefixed = (unit) =>
  Object.fromEntries(Object.entries(prefixes).map(([prefix, factor]) => [`${prefix}${unit}`, factor]));
