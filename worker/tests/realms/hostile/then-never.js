export function then() {}
export default { description: 'd', inputSchema: { type: 'object' }, run() {} };
