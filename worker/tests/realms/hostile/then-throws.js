export function then() {
  throw new Error('not like this');
}
export default { description: 'd', inputSchema: { type: 'object' }, run() {} };
