// The JSON Schema of each primitive field class, as Boxel maps them.

import { loadedExports } from '../modules.js';
import { queryFieldOfGuest } from './base-modules.js';
import { StringField } from './card-api.js';
import { BigIntegerField, BooleanField, CodeRefField, DateField, DateTimeField, JsonField, NumberField } from './primitives.js';

const codeRef = () => ({ type: 'object', properties: { module: { type: 'string' }, name: { type: 'string' } } });
const requiredCodeRef = (description) => ({ ...codeRef(), required: ['module', 'name'], description });
const opaque = (description) => ({ type: 'object', properties: {}, description });
const nested = (description) => ({
  type: 'array',
  items: opaque('A nested filter object. Refer to Query.Filter documentation.'),
  description,
});

const querySchema = {
  type: 'object',
  description: 'A query to the card search API, supporting searching on fields and types, with pagination and sorting.',
  properties: {
    filter: {
      type: 'object',
      description:
        "Filter criteria for the query. This object conforms to one of several structures (e.g., CardTypeFilter, EqFilter, AnyFilter). All properties within are optional and depend on the specific filter type. 'on' (a CodeRef) can specify context for field paths. Example properties: 'type' (CodeRef for CardTypeFilter), 'any'/'every' (array of filters), 'not' (a filter to negate), 'eq'/'contains' (object mapping field paths to values), 'range' (object mapping field paths to range constraints like {gt: 5}). Refer to the Query.Filter documentation for complete details.",
      properties: {
        type: requiredCodeRef('A CodeRef (module and name) identifying a card type. Used for CardTypeFilter.'),
        on: requiredCodeRef(
          "A CodeRef (module and name) identifying a card type. Used as context for filters like 'eq', 'contains', 'range', 'any', 'every', 'not'.",
        ),
        any: nested('An array of filter objects. The condition is true if any filter in the array is true.'),
        every: nested('An array of filter objects. The condition is true if all filters in the array are true.'),
        not: opaque('A filter object to be negated. Refer to Query.Filter documentation.'),
        eq: opaque(
          "An object where keys are field paths (e.g., 'firstName', 'address.street') and values are the exact criteria to match.",
        ),
        contains: opaque(
          'An object where keys are field paths and values are the criteria to be contained (e.g., for string contains, or array contains element).',
        ),
        range: opaque(
          'An object where keys are field paths. Values are objects specifying range constraints (e.g., { gt: 10, lte: 20 }).',
        ),
      },
    },
    sort: {
      type: 'array',
      description: 'An array of sort expressions. Each expression defines a field to sort by and direction.',
      items: {
        type: 'object',
        properties: {
          by: { type: 'string', description: "Field path to sort by (e.g., 'createdAt', 'author.name')." },
          on: requiredCodeRef(
            "Optional. A CodeRef (module and name) specifying the card type if 'by' is a field of that card. Required if 'by' is not a general sort field.",
          ),
          direction: {
            enum: ['asc', 'desc'],
            description: "Sort direction: 'asc' for ascending, 'desc' for descending.",
          },
        },
        required: ['by'],
      },
    },
    page: {
      type: 'object',
      properties: {
        number: { type: 'integer', description: '0-based page number.' },
        size: { type: 'integer', description: 'Number of items per page.' },
        generation: {
          type: 'integer',
          description:
            'Optional. Specifies the realm generation for consistent pagination if data can change.',
        },
      },
      required: ['number', 'size'],
    },
  },
};

// The query field's module may be loaded after the schemas are asked for, by the tool that says its input type.
class SchemaMappings extends Map {
  #isQueryField(Class) {
    return Class === queryFieldOfGuest || Class === loadedExports('@cardstack/base/commands/search-card-result')?.QueryField;
  }
  has(Class) {
    return super.has(Class) || this.#isQueryField(Class);
  }
  get(Class) {
    return super.get(Class) ?? (this.#isQueryField(Class) ? querySchema : undefined);
  }
}

/** A new map of field class to schema. The query field is whichever module brought it in, mapped or ours. */
export function schemaMappings() {
  const mappings = new SchemaMappings([
    [StringField, { type: 'string' }],
    [NumberField, { type: 'number' }],
    [BigIntegerField, { type: 'string', pattern: '^-?[0-9]+$' }],
    [DateField, { type: 'string', format: 'date' }],
    [DateTimeField, { type: 'string', format: 'date-time' }],
    [BooleanField, { type: 'boolean' }],
    [CodeRefField, codeRef()],
    [JsonField, { type: 'object', properties: {}, additionalProperties: true }],
  ]);
  for (const schema of mappings.values()) Object.freeze(schema);
  return mappings;
}
