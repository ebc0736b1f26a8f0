// Small tools for texts; several skills share them.

const text = { type: 'string', description: 'The text, as plain text or markdown' };
const words = (of) => of.split(/\s+/).filter(Boolean).length;

export const wordCount = {
  description: 'Counts the words, sentences and characters of a text',
  inputSchema: { type: 'object', properties: { text }, required: ['text'], additionalProperties: false },
  run: ({ text }) => ({
    words: words(text),
    sentences: text.split(/[.!?]+(\s|$)/).filter((part) => part?.trim()).length,
    characters: [...text].length,
  }),
};

export const readingTime = {
  description: 'Estimates how many minutes it takes to read a text',
  inputSchema: {
    type: 'object',
    properties: {
      text,
      wordsPerMinute: { type: 'integer', minimum: 50, maximum: 1000, default: 220 },
    },
    required: ['text'],
    additionalProperties: false,
  },
  run: ({ text, wordsPerMinute = 220 }) => Math.max(1, Math.round(words(text) / wordsPerMinute)),
};

export const slug = {
  description: 'Makes a file or URL name out of a title',
  inputSchema: {
    type: 'object',
    properties: {
      title: { type: 'string', minLength: 1 },
      separator: { enum: ['-', '_'], default: '-' },
    },
    required: ['title'],
  },
  run: ({ title, separator = '-' }) =>
    title
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[\u0300-\u036f]/g, '')
      .replace(/[^a-z0-9]+/g, separator)
      .replace(/^[-_]+|[-_]+$/g, ''),
};
