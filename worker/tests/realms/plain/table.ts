// Several tools in one module, typed.
interface JsonSchema {
  type: 'object';
  properties?: Record<string, object>;
  [key: string]: unknown;
}
interface Plain<Input> {
  readonly description: string;
  readonly inputSchema: JsonSchema;
  run(input: Input): unknown;
}

enum Order {
  Up = 'up',
  Down = 'down',
}

export const sort: Plain<{ rows: string[]; order?: Order }> = {
  description: 'Sorts rows.',
  inputSchema: {
    type: 'object',
    properties: {
      rows: { type: 'array', items: { type: 'string' }, maxItems: 100 },
      order: { enum: Object.values(Order), default: Order.Up },
    },
  },
  run: ({ rows, order }) => (order === Order.Down ? rows.sort().reverse() : rows.sort()),
};

export const nothing = {
  description: 'Takes nothing.',
  inputSchema: { type: 'object' },
  run: () => null,
} satisfies Plain<unknown>;

class Template {
  constructor(readonly description: string) {}
  get inputSchema(): JsonSchema {
    return { type: 'object', properties: { [this.description.toLowerCase()]: {} } };
  }
  run() {}
}
/** Getters and inherited members count as well. */
export const inherited = new Template('Lines');

/** No description: the definition has none. */
export const silent = { inputSchema: { type: 'object' } as JsonSchema, run() {} };

export const { description, inputSchema } = nothing;
