// Recursion that has no end, or only a far one.
export class Recursion {
  description = 'd';
  getInputJsonSchema() {
    return this.getInputJsonSchema();
  }
}
export class Mutual {
  description = 'd';
  getInputJsonSchema() {
    const even = (n) => (n === 0 ? true : odd(n - 1));
    const odd = (n) => (n === 0 ? false : even(n - 1));
    return even(1e9);
  }
}
export class Native {
  description = 'd';
  getInputJsonSchema() {
    let list = [];
    for (let at = 0; at < 1e5; at++) list = [list];
    return { attributes: list.flat(Infinity) };
  }
}
export class Getter {
  get description() {
    return this.description;
  }
}
export class Spread {
  description = 'd';
  getInputJsonSchema() {
    return Math.max(...new Array(1e7).fill(1));
  }
}
/** Comes back out of it, and says so. */
export class Caught {
  description = 'd';
  async getInputJsonSchema() {
    let depth = 0;
    const down = () => {
      depth++;
      down();
    };
    try {
      down();
    } catch (error) {
      this.description = error.name;
    }
    return { attributes: { type: 'object', properties: {} } };
  }
}
const nest = (levels, make) => {
  let schema = { type: 'string' };
  for (let level = 0; level < levels; level++) schema = make(schema);
  return { type: 'object', properties: { top: schema } };
};
const inObject = (schema) => ({ type: 'object', properties: { in: schema } });
const plain = (inputSchema) => ({ description: 'd', inputSchema, run() {} });
export const fifty = plain(nest(50, inObject));
export const hundred = plain(nest(100, inObject));
export const tenThousand = plain(nest(10_000, inObject));
export const lists = plain({ type: 'object', default: JSON.parse('['.repeat(5000) + ']'.repeat(5000)) });
const cycle = { type: 'object', properties: {} };
cycle.properties.again = cycle;
export const cyclic = plain(cycle);
export class CyclicClass {
  description = 'd';
  getInputJsonSchema = () => ({ attributes: cycle });
}
