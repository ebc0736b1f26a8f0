// The module itself is the tool: no default export, all three names at the top.
export const description = 'Counts the words of a text.';
export const inputSchema = {
  type: 'object',
  properties: { text: { type: 'string' }, unique: { type: 'boolean', default: false } },
  required: ['text'],
  additionalProperties: false,
};
export function run({ text, unique }) {
  const words = text.split(/\s+/u).filter(Boolean);
  return { words: unique ? new Set(words).size : words.length };
}
