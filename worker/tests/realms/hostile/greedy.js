// Takes all the memory there is.
const object = { type: 'object', properties: {} };

export class Arrays {
  description = 'd';
  getInputJsonSchema() {
    const held = [];
    for (;;) held.push(new Array(10_000).fill({}));
  }
}
export class OneBuffer {
  description = `${new Uint8Array(2 ** 30).length}`;
  getInputJsonSchema = () => object;
}
export class Text {
  description = 'x';
  getInputJsonSchema() {
    for (;;) this.description += this.description;
  }
}
export class Repeated {
  description = 'ab'.repeat(2 ** 28);
  getInputJsonSchema = () => object;
}
export class Objects {
  description = 'd';
  getInputJsonSchema() {
    let list = null;
    for (;;) list = { list };
  }
}
/** Catches the refusal and goes on with less. */
export class Modest {
  description = 'd';
  async getInputJsonSchema() {
    try {
      return { attributes: { ...object, title: `${new Uint8Array(2 ** 30).length}` } };
    } catch (error) {
      return { attributes: { ...object, title: error.name } };
    }
  }
}
/** Within the limit: 24 MiB. */
export class Large {
  description = `${new Uint8Array(24 * 2 ** 20).length}`;
  getInputJsonSchema = () => ({ attributes: object });
}
