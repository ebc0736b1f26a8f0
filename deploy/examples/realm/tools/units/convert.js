import { units } from './table.js';

const names = Object.values(units).flatMap((kind) => Object.keys(kind));

/** Its schema lists whatever the table knows, so that a new unit is one line in one place. */
export default {
  description: 'Converts a length, mass or volume from one unit to another',
  inputSchema: {
    type: 'object',
    properties: {
      value: { type: 'number' },
      from: { enum: names },
      to: { enum: names },
    },
    required: ['value', 'from', 'to'],
    additionalProperties: false,
  },
  run({ value, from, to }) {
    const kind = Object.values(units).find((kind) => from in kind && to in kind);
    if (!kind) throw new Error(`${from} and ${to} measure different things`);
    return (value * kind[from]) / kind[to];
  },
};
