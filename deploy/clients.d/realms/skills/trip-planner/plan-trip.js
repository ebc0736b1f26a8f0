export const planTrip = {
  description: 'Orders cities so that the way is short',
  inputSchema: {
    type: 'object',
    properties: { cities: { type: 'array', items: { type: 'string' } } },
    required: ['cities'],
  },
  run: ({ cities }) => [...cities].sort(),
};
