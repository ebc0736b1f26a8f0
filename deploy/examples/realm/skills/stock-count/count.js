export const countStock = {
  description: 'Takes down how many pieces of an article there are',
  inputSchema: {
    type: 'object',
    properties: {
      article: { type: 'string' },
      pieces: { type: 'integer', minimum: 0 },
      shelf: { type: 'string', description: 'Such as B3' },
    },
    required: ['article', 'pieces'],
  },
  run: ({ article, pieces }) => `${pieces} × ${article}`,
};
