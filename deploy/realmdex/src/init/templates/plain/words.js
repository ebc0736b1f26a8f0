// A plain tool: what it does, a JSON Schema of its input, and a function.
export const wordCount = {
  description: 'Counts the words of a text',
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'The text to count' },
    },
    required: ['text'],
  },
  run: ({ text }) => text.split(/\s+/).filter(Boolean).length,
};
