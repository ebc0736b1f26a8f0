// A card class's JSON Schema, for a model that is to fill in an instance. Boxel's rules:
// - attributes hold what is contained, relationships what is linked, under flat dotted names;
// - computed fields and the id are left out; a field whose type has no schema is dropped silently;
// - ignored names and required names apply to the top level; a relationship is ignored by the start of its name.

import { getFieldDescription } from './field.js';
import { getFields } from './field-lookup.js';
import { primitive } from './symbols.js';

// Contained fields deeper than this are refused: providers refuse the schema too, and a class made anew at each
// reading of a thunk would never end.
const MAX_DEPTH = 60;

/** {attributes, relationships?} of a card class. `options`: {require, ignore, strict}. */
export function generateJsonSchemaForCardType(CardClass, api, mappings, options) {
  const attributes = attributesSchema(CardClass, mappings, options, [CardClass]);
  if (attributes === undefined) return { attributes: { type: 'object', properties: {} } };
  const relationships = relationshipsSchema(CardClass, options);
  return relationships ? { attributes, relationships } : { attributes };
}

function attributesSchema(Class, mappings, options, path) {
  if (primitive in Class) return primitiveSchema(Class, mappings);
  const { id, ...fields } = getFields(Class);
  const schema = { type: 'object', properties: {} };
  const required = [];
  for (const [name, field] of Object.entries(fields)) {
    if (isLink(field) || options?.ignore?.includes(name)) continue;
    const one = attributesSchema(field.card, mappings, undefined, descend(path, name, field.card));
    if (one === undefined) {
      if (options?.strict) {
        throw new Error(`No schema found for field '${name}'. Ensure the field type is defined in the mappings.`);
      }
      continue;
    }
    schema.properties[name] = field.fieldType === 'containsMany' ? { type: 'array', items: one } : one;
    const description = getFieldDescription(Class, name);
    if (description) schema.properties[name].description = description;
    if (options?.require?.includes(name)) required.push(name);
  }
  if (required.length) schema.required = required;
  return schema;
}

// A card may contain itself. Boxel's generator then overflows the stack; here it is one clear error.
function descend(path, name, Class) {
  const first = path.indexOf(Class);
  if (first >= 0) {
    const cycle = [...path.slice(first), Class].map((step) => step.name || 'anonymous class');
    throw new Error(
      `the input type contains itself without end (${cycle.join(' → ')} by the field '${name}'): ` +
        'make one field of the cycle a link (linksTo or linksToMany), or leave it out of the input type',
    );
  }
  if (path.length > MAX_DEPTH) {
    throw new Error(`the input type is nested more than ${MAX_DEPTH} fields deep (at the field '${name}'): make it flatter`);
  }
  return [...path, Class];
}

const isLink = (field) => field.fieldType === 'linksTo' || field.fieldType === 'linksToMany';

function primitiveSchema(Class, mappings) {
  const schema = mappedSchema(Class, mappings);
  const allowed = schema && enumValues(Class);
  if (!allowed) return schema;
  if (!allowed.isDynamic) return { ...schema, enum: allowed.values };
  // What a function would offer is known only of an instance: the defaults are a hint, not a constraint.
  const hint = `Typical values: ${allowed.values.map((value) => JSON.stringify(value)).join(', ')}`;
  return { ...schema, description: hint, examples: allowed.values };
}

// The nearest ancestor with a mapping decides. Only field classes have one.
function mappedSchema(Class, mappings) {
  for (let current = Class; current && 'isFieldDef' in current && current.isFieldDef; current = Object.getPrototypeOf(current)) {
    if (mappings.has(current)) return { ...mappings.get(current) };
  }
  return undefined;
}

function enumValues(Class) {
  const { configuration } = Class;
  const isDynamic = typeof configuration === 'function';
  const options = isDynamic ? Class.defaultOptions : configuration?.enum?.options;
  if (!Array.isArray(options) || options.length === 0) return undefined;
  const valueOf = (option) => (option !== null && typeof option === 'object' && 'value' in option ? option.value : option);
  return { values: options.map(valueOf), isDynamic };
}

function relationshipsSchema(Class, options) {
  const schema = { type: 'object', properties: {} };
  const required = [];
  for (const { name, field, description } of relationships(Class, '', [Class])) {
    if (options?.ignore?.find((ignored) => name.startsWith(ignored))) continue;
    schema.properties[name] = field.fieldType === 'linksTo' ? linkSchema() : { type: 'array', items: linkSchema() };
    if (options?.require?.includes(name)) required.push(name);
    if (description) schema.properties[name].description = description;
  }
  if (Object.keys(schema.properties).length === 0) return undefined;
  if (required.length) schema.required = required;
  return schema;
}

const linkSchema = () => ({
  type: 'object',
  properties: { links: { type: 'object', properties: { self: { type: 'string' } }, required: ['self'] } },
  required: ['links'],
});

function* relationships(Class, prefix, path) {
  const { id, ...fields } = getFields(Class);
  for (const [name, field] of Object.entries(fields)) {
    const flatName = `${prefix}${name}`;
    if (isLink(field)) {
      yield { name: flatName, field, description: getFieldDescription(Class, name) };
    } else {
      yield* relationships(field.card, `${flatName}.`, descend(path, name, field.card));
    }
  }
}
