// `@cardstack/base/enum`: a field class limited to a list of values.

import { inert } from '../inert.js';

/** A subclass of `Base` whose configuration carries the options, or a function that offers them per instance. */
export function enumField(Base, config) {
  const offered = config?.options;
  const isDynamic = typeof offered === 'function';
  return class EnumField extends Base {
    static configuration = isDynamic
      ? function () {
          return { enum: { options: offered.call(this) } };
        }
      : { enum: { options: offered } };
    static defaultOptions = isDynamic && Array.isArray(config?.defaultOptions) && config.defaultOptions.length > 0
      ? config.defaultOptions
      : undefined;
    static displayName = config?.displayName ?? Base.displayName;
    static icon = config?.icon ?? Base.icon;
    static selectedItem = inert('selectedItem');
  };
}

/** Options given flat or under `enum`, in the form fields keep them. */
export function enumConfig(input) {
  const nest = (value) => (!value || (typeof value === 'object' && 'enum' in value) ? value || undefined : { enum: value });
  return typeof input === 'function'
    ? function () {
        return nest(input.call(this));
      }
    : nest(input);
}

/** Each option as {value, label}. Two options with one value are an error. */
export function normalizeEnumOptions(options) {
  const normalized = (options ?? []).map((option) =>
    option && typeof option === 'object' && 'value' in option ? option : { value: option, label: String(option) },
  );
  const seen = new Set();
  for (const { value } of normalized) {
    const key = JSON.stringify(value) ?? String(value);
    if (seen.has(key)) throw new Error(`enum configuration error: duplicate option value '${String(value)}' detected`);
    seen.add(key);
  }
  return normalized;
}

export const enumAllowedValues = (options) => normalizeEnumOptions(options).map(({ value }) => value);
