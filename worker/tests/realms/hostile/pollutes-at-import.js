Array.prototype.polluted = true;
Object.prototype.polluted = true;
JSON.stringify = () => 'no JSON';
Promise.prototype.then = () => {};
Map.prototype.get = () => undefined;
Function.prototype.call = () => undefined;
globalThis.leaked = true;

export const tool = { description: 'd', inputSchema: { type: 'object', properties: {} }, run() {} };
export class Tool {
  description = 'd';
  async getInputJsonSchema() {
    await null;
    return { attributes: { type: 'object', properties: {} } };
  }
}
