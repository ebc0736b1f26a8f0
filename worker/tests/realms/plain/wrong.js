// Near misses, and what providers refuse.
const run = () => {};
const object = { type: 'object', properties: {} };

export const noRun = { description: 'd', inputSchema: object };
export const runIsText = { description: 'd', inputSchema: object, run: 'run' };
export const noSchema = { description: 'd', run };
export const schemaNull = { description: 'd', inputSchema: null, run };
export const schemaText = { description: 'd', inputSchema: 'object', run };
export const schemaFunction = { description: 'd', inputSchema: () => object, run };
export const schemaPromise = { description: 'd', inputSchema: Promise.resolve(object), run };
export const schemaList = { description: 'd', inputSchema: [object], run };
export const noType = { description: 'd', inputSchema: { properties: {} }, run };
export const typeList = { description: 'd', inputSchema: { type: ['object', 'null'] }, run };
export const descriptionNumber = { description: 5, inputSchema: object, run };
export const descriptionNull = { description: null, inputSchema: object, run };
export const callable = Object.assign(() => {}, { description: 'd', inputSchema: object, run });

const property = (schema) => ({ description: 'd', inputSchema: { type: 'object', properties: { p: schema } }, run });
export const arrayWithoutItems = property({ type: 'array' });
export const nestedArrayWithoutItems = property({ type: 'object', properties: { q: { type: ['null', 'array'] } } });
export const tupleIsFine = property({ type: 'array', prefixItems: [{ type: 'string' }], items: false });
export const remoteReference = property({ items: { $ref: 'https://json-schema.org/draft/2020-12/schema' } });
export const emptyEnum = property({ enum: [] });
export const enumText = property({ enum: 'a b' });
export const propertyText = property('string');
export const propertyNull = property(null);
export const propertyTrue = property(true);
export const propertiesList = { description: 'd', inputSchema: { type: 'object', properties: [] }, run };
export const requiredText = { description: 'd', inputSchema: { type: 'object', required: 'p' }, run };
export const requiredNumbers = { description: 'd', inputSchema: { type: 'object', required: [1] }, run };
export const unionMember = property({ anyOf: [{ type: 'string' }, 'number'] });
export const inDefinitions = {
  description: 'd',
  inputSchema: { type: 'object', $defs: { rows: { type: 'array' } }, properties: { rows: { $ref: '#/$defs/rows' } } },
  run,
};
export const undefinedProperty = property(undefined);
export const notANumber = property({ type: 'number', minimum: Number.NaN, maximum: Infinity, default: -0 });
export const aDate = property({ type: 'string', default: new Date(0) });
export default { description: 'd', inputSchema: object };
