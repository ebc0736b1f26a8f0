export const wordCount = {
  description: 'Counts the words of a text',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
  },
  run: ({ text }) => text.split(/\s+/).filter(Boolean).length,
};
