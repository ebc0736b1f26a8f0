// Which fields a class has. A field is known by a mark on its getter, so overriding, inheritance and lookup are those of
// ordinary properties.

import { isField } from './symbols.js';

/** The field a class (or an instance's class) has under that name, its own first. */
export function getField(cardOrClass, name) {
  const klass = typeof cardOrClass === 'function' ? cardOrClass : Object.getPrototypeOf(cardOrClass).constructor;
  for (let proto = klass.prototype; proto; proto = Object.getPrototypeOf(proto)) {
    const found = Object.getOwnPropertyDescriptor(proto, name)?.get?.[isField];
    if (found !== undefined && typeof found.card === 'function' && 'baseDef' in found.card) return found;
  }
  return undefined;
}

/**
 * The fields of a class by name: its own first, then each ancestor's, an overridden one in the place of the
 * override. Computed fields are left out unless asked for. The walk ends at a class without a name, as Boxel's does.
 */
export function getFields(cardOrClass, options) {
  const start = typeof cardOrClass === 'function' ? cardOrClass.prototype : Object.getPrototypeOf(cardOrClass);
  const found = Object.create(null);
  for (let proto = start; proto?.constructor.name && proto.constructor.name !== 'Object'; proto = Object.getPrototypeOf(proto)) {
    for (const name of Object.getOwnPropertyNames(proto)) {
      if (name === 'constructor') continue;
      const candidate = getField(cardOrClass, name);
      if (!candidate || (candidate.computeVia && !options?.includeComputeds)) continue;
      found[name] = candidate;
    }
  }
  return found;
}
