// The base class of Boxel tools (`Tool`, with `Command` as its older name).

import { isCardDef } from './kinds.js';
import { generateJsonSchemaForCardType } from './schema.js';

export class Tool {
  static actionVerb = 'Apply';
  ignoreInputFields = ['cardInfo'];
  requireInputFields = [];
  name = this.constructor.name;
  description = '';
  toolContext;

  constructor(toolContext) {
    this.toolContext = toolContext;
  }

  get commandContext() {
    return this.toolContext;
  }

  async execute(input) {
    if (input === undefined || isCardDef(input.constructor)) return this.run(input);
    const InputType = await this.getInputType();
    if (!InputType) throw new Error('Input provided but no input type found');
    return this.run(new InputType(input));
  }

  async getInputJsonSchema(api, mappings, strict = false) {
    if (typeof this.getInputType !== 'function') {
      throw new TypeError('this tool class has no method getInputType, which answers the card class of its input');
    }
    const InputType = await this.getInputType();
    if (!InputType) {
      return { attributes: { type: 'object', properties: {} }, relationships: { type: 'object', properties: {} } };
    }
    if (typeof InputType !== 'function' && typeof InputType !== 'object') {
      throw new TypeError(`getInputType answers no card class but a ${typeof InputType}`);
    }
    return generateJsonSchemaForCardType(InputType, api, mappings, {
      require: this.requireInputFields,
      ignore: this.ignoreInputFields,
      strict,
    });
  }
}
