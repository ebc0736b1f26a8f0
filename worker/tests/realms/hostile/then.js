// A module with an export named `then` is a thenable: whoever awaits it gets what that answers.
export const description = 'd';
export const inputSchema = { type: 'object' };
export const run = () => {};
export function then(resolve) {
  resolve({ default: { description: 'from then', inputSchema: { type: 'object' }, run } });
}
