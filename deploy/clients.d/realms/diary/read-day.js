export default {
  description: 'Reads one day',
  inputSchema: { type: 'object', properties: { day: { type: 'string', format: 'date' } } },
  run: ({ day }) => day,
};
