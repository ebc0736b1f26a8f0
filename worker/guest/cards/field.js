// `@field` and the four kinds of field. A declared field becomes a property whose getter carries it (see
// field-lookup.js).

import { BaseDef } from './base-def.js';
import { validateQuery } from './field-query.js';
import { fieldDecorator, isField, primitive } from './symbols.js';

/** Descriptions given to fields, by the class that declares them. */
const descriptions = new WeakMap();

/** The decorator: `@field name = contains(StringField)`. */
export function field(target, key, descriptor) {
  if (typeof key === 'symbol') {
    throw new Error('the @field decorator only supports string field names, not symbols');
  }
  if (!(target instanceof BaseDef)) {
    throw new Error('the @field decorator can only be used inside classes that extend BaseDef');
  }
  const declared = descriptor.initializer();
  const property = declared.setupField(key, target);
  if (declared.description) {
    const ofClass = descriptions.get(target.constructor) ?? new Map();
    ofClass.set(key, declared.description);
    descriptions.set(target.constructor, ofClass);
  }
  return property;
}
field[fieldDecorator] = undefined;

/** The description of a field, the nearest class first. */
export function getFieldDescription(cardOrClass, name) {
  const klass = typeof cardOrClass === 'function' ? cardOrClass : cardOrClass.constructor;
  for (let proto = klass.prototype; proto?.constructor && proto.constructor !== Object; proto = Object.getPrototypeOf(proto)) {
    const description = descriptions.get(proto.constructor)?.get(name);
    if (description !== undefined) return description;
  }
  return undefined;
}

class Field {
  constructor(fieldType, name, cardThunk, options) {
    this.fieldType = fieldType;
    this.name = name;
    this.computeVia = options?.computeVia;
    this.searchable = options?.searchable;
    this.configuration = options?.configuration;
    this.queryDefinition = options?.query;
    this.description = undefined;
    this.isPolymorphic = undefined;
    Object.defineProperty(this, 'card', { get: cardThunk, enumerable: false });
  }
  emptyValue() {
    return this.fieldType === 'containsMany' || this.fieldType === 'linksToMany' ? [] : undefined;
  }
}

const declares = (fieldType, isLink) => (cardOrThunk, options) => ({
  description: options?.description,
  setupField(name, ownerPrototype) {
    const cardThunk = thunkOf(cardOrThunk, name, ownerPrototype);
    if (isLink && options?.query) validateQuery(ownerPrototype.constructor, name, options.query);
    return propertyOf(new Field(fieldType, name, cardThunk, options));
  },
});

export const contains = declares('contains', false);
export const containsMany = declares('containsMany', false);
export const linksTo = declares('linksTo', true);
export const linksToMany = declares('linksToMany', true);

// A value is held per instance; a computed one is worked out at each read and ignores assignment.
const values = new WeakMap();

/** The stored field values of an instance. */
export function valuesOf(instance) {
  let held = values.get(instance);
  if (!held) values.set(instance, (held = new Map()));
  return held;
}

function propertyOf(field) {
  const get = function () {
    if (field.computeVia) {
      const computed = field.computeVia.call(this);
      return computed === undefined ? emptyOf(field) : computed;
    }
    const held = valuesOf(this);
    if (!held.has(field.name)) {
      const empty = emptyOf(field);
      if (empty == null) return empty;
      held.set(field.name, empty);
    }
    return held.get(field.name);
  };
  get[isField] = field;
  const set = field.computeVia
    ? function () {}
    : function (value) {
        valuesOf(this).set(field.name, value);
      };
  return { enumerable: true, configurable: true, get, set };
}

// An unset compound field reads as an empty instance of its class, so that `this.address.city` never throws.
function emptyOf(field) {
  if (field.fieldType !== 'contains') return field.emptyValue();
  const Card = field.card;
  return primitive in Card ? undefined : new Card();
}

function thunkOf(cardOrThunk, name, ownerPrototype) {
  const where = `field '${name}' on '${ownerPrototype.constructor?.name || 'unknown card'}'`;
  const mend =
    "check that the import names what the module exports (default or named), and use the thunk form `() => Card` in every card of an import cycle";
  if (!cardOrThunk) throw new Error(`The card class for ${where} was ${cardOrThunk}: ${mend}`);
  if ('baseDef' in cardOrThunk) return () => cardOrThunk;
  return () => {
    const card = cardOrThunk();
    if (!card) throw new Error(`The card class thunk for ${where} returned ${card}: ${mend}`);
    return card;
  };
}
