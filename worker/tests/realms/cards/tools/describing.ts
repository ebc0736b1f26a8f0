// Makes tool classes for the modules beside it: most differ only in what they take.
import { Tool } from '@cardstack/runtime-common';

import type { CardDef } from '@cardstack/base/card-api';

export type Input = typeof CardDef | undefined;
interface Wishes {
  requireInputFields?: string[];
  ignoreInputFields?: string[];
}

export function takes(input: Input, wishes: Wishes = {}) {
  return class extends Tool<any> {
    description = 'Takes something.';

    constructor(context: ConstructorParameters<typeof Tool>[0]) {
      super(context);
      Object.assign(this, wishes);
    }

    async getInputType(): Promise<any> {
      return input;
    }

    protected async run(): Promise<undefined> {}
  };
}
