import { Command, Tool } from '@cardstack/runtime-common';

abstract class Quiet extends Command<undefined> {
  async getInputType() {
    return undefined;
  }
  protected async run(): Promise<undefined> {}
}

export class MissingTool extends Quiet {}
export class EmptyTool extends Quiet {
  description = '';
}
export class TextTool extends Quiet {
  description = ['Zwei', 'Zeilen: „Größe“ \u{1F33B}\u0000 end'].join('\n');
}
export class GetterTool extends Quiet {
  constructor(context: ConstructorParameters<typeof Tool>[0]) {
    super(context);
    Object.defineProperty(this, 'description', { get: () => `made by ${this.constructor.name}` });
  }
}
/** The base class's own field stands before an accessor of the prototype. */
export class PrototypeGetterTool extends Quiet {
  // @ts-expect-error an accessor where the base has a field
  get description() {
    return 'never read';
  }
}
export class DeclaredTool extends Quiet {
  declare description: string;
}
export class StaticTool extends Quiet {
  static description = 'of the class, not of the tool';
}
export class UndefinedTool extends Quiet {
  description = undefined as unknown as string;
}
export class NullTool extends Quiet {
  description = null as unknown as string;
}
export class NumberTool extends Quiet {
  description = 7 as unknown as string;
}
export class ObjectTool extends Quiet {
  description = new String('boxed') as unknown as string;
}
export class PromiseTool extends Quiet {
  description = Promise.resolve('later') as unknown as string;
}
export class ThrowingTool extends Quiet {
  constructor(context: ConstructorParameters<typeof Tool>[0]) {
    super(context);
    Object.defineProperty(this, 'description', {
      get() {
        throw new Error('no words');
      },
    });
  }
}
/** What is said of the input type may change it: the description is read first. */
export class LateTool extends Quiet {
  description = 'before';
  async getInputType() {
    this.description = 'after';
    return undefined;
  }
}
