import { prefixed } from './si.js';

/** Each unit in terms of the first of its kind. */
export const units = {
  length: { ...prefixed('metre'), inch: 0.0254, foot: 0.3048, mile: 1609.344 },
  mass: { ...prefixed('gram'), ounce: 28.349523125, pound: 453.59237 },
  volume: { ...prefixed('litre'), cup: 0.2365882365, gallon: 3.785411784 },
};
