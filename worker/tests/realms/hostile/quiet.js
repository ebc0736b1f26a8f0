export const quiet = true;
export const tool = { description: 'Does nothing odd.', inputSchema: { type: 'object', properties: {} }, run() {} };
