// There is no such module: the finding names it, and the skill's other tool works all the same.
import { suppliers } from './suppliers.js';

export const reorder = {
  description: 'Orders an article from its supplier',
  inputSchema: {
    type: 'object',
    properties: {
      article: { type: 'string' },
      supplier: { enum: suppliers.map(({ name }) => name) },
    },
    required: ['article', 'supplier'],
  },
  run: ({ article, supplier }) => `would order ${article} from ${supplier}`,
};
