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
/** Not to be caught: nobody comes back from the end of the stack. */
export class Caught {
  description = 'd';
  getInputJsonSchema() {
    const down = () => down();
    try {
      down();
    } catch {
      return { attributes: { type: 'object', properties: {} } };
    }
  }
}
/** As deep as code that means well may go. */
export class Deep {
  description = 'd';
  getInputJsonSchema() {
    const sum = (n) => (n === 0 ? 0 : n + sum(n - 1));
    const nested = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`);
    return { attributes: { type: 'object', properties: {}, title: `${sum(1000)} ${JSON.stringify(nested).length}` } };
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
export class TenThousand {
  description = 'd';
  getInputJsonSchema = () => ({ attributes: nest(10_000, inObject) });
}
export class Parsed {
  description = 'd';
  getInputJsonSchema = () => ({ attributes: JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) });
}
const cycle = { type: 'object', properties: {} };
cycle.properties.again = cycle;
export const cyclic = plain(cycle);
export class CyclicClass {
  description = 'd';
  getInputJsonSchema = () => ({ attributes: cycle });
}
