// Says too much.
const plain = (description, inputSchema) => ({ description, inputSchema, run() {} });
const many = (count) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`property${at}`, { type: 'string' }]));
export const fits = plain('d', { type: 'object', properties: many(5000) });
export const properties = plain('d', { type: 'object', properties: many(20_000) });
export const description = plain('long '.repeat(100_000), { type: 'object' });
export class Message {
  constructor() {
    throw new Error(`wrong ${'!'.repeat(10_000_000)}`);
  }
}
export class WideMessage {
  constructor() {
    throw new Error('\u{1F33B}'.repeat(100_000));
  }
}
export class Log {
  description = 'd';
  async getInputJsonSchema() {
    for (let line = 0; line < 200; line++) console.log('noise '.repeat(10_000));
    return { attributes: { type: 'object', properties: {} } };
  }
}
