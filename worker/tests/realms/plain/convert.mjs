import { units } from './units.mjs';

/** Its schema is made of what another module knows. */
export default {
  description: 'Converts a length.',
  inputSchema: {
    type: 'object',
    $defs: { unit: { enum: Object.keys(units) } },
    properties: {
      length: { type: 'number', exclusiveMinimum: 0 },
      from: { $ref: '#/$defs/unit' },
      to: { anyOf: [{ $ref: '#/$defs/unit' }, { type: 'null' }] },
    },
    required: ['length', 'from'],
  },
  run: ({ length, from, to }) => (length * units[from]) / (units[to] ?? 1),
};
