// Tools that extend nothing of ours: whatever answers `getInputJsonSchema` is one.
import type { Schema } from './no-such-module';

const object = { type: 'object', properties: {} } as const;

export class PlainClass {
  description = 'No base class.';
  async getInputJsonSchema(): Promise<{ attributes: Schema }> {
    return { attributes: object as unknown as Schema };
  }
}
export class Synchronous {
  description = 'Answers at once.';
  getInputJsonSchema = () => ({ attributes: { ...object, properties: { n: { type: 'integer', minimum: 1 } } }, extra: { type: 'string' } });
}
export class Thenable {
  description = 'Answers with something that has a then.';
  getInputJsonSchema() {
    return { then: (resolve: (value: unknown) => void) => resolve({ attributes: object }) };
  }
}
/** It is spread, so nothing comes of it. */
export class Undefined {
  description = 'Answers nothing.';
  async getInputJsonSchema() {}
}
export class OwnDescription {
  description = 'Replaces the description property.';
  async getInputJsonSchema() {
    return { description: { type: 'string', maxLength: 10 }, attributes: object };
  }
}
export class Inspecting {
  description = 'Looks at what it is given.';
  async getInputJsonSchema(api: any, mappings: Map<unknown, object>) {
    return {
      attributes: {
        ...object,
        examples: [
          [...mappings.values()].map((schema) => ({ frozen: Object.isFrozen(schema), ...schema })),
          ['CardDef', 'FieldDef', 'getFields', 'contains', 'StringField'].filter((name) => name in api),
          mappings.has(api.StringField),
        ],
      },
    };
  }
}
export function factory(this: object, context: Record<symbol, boolean>) {
  return {
    description: `Made by a function, with ${Object.getOwnPropertySymbols(context).map(String)}.`,
    getInputJsonSchema: async () => ({ attributes: object }),
  };
}
export const bound = class Whatever {
  description = 'A class held in a constant.';
  getInputJsonSchema = async () => ({ attributes: object });
};
export const arrow = () => ({ getInputJsonSchema: async () => ({}) });
export async function later() {}
export class NoMethod {
  description = 'Has no schema.';
}
export class NotAFunction {
  description = 'Has a schema that is no function.';
  getInputJsonSchema = object;
}
