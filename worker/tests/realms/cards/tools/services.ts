// What tools ask of the host application while they are described.
import { getOwner, setOwner } from '@ember/owner';
import { inject, service } from '@ember/service';
import { Tool } from '@cardstack/runtime-common';

import type { Loader } from '@cardstack/runtime-common';

type Context = ConstructorParameters<typeof Tool>[0];
type Inputs = typeof import('@cardstack/base/command');

abstract class Asking extends Tool<any> {
  description = 'Asks for the loader.';
  protected async run(): Promise<undefined> {}
}

export class DeclaredServiceTool extends Asking {
  @service declare private loaderService: { loader: Loader };
  async getInputType() {
    return (await this.loaderService.loader.import<Inputs>('@cardstack/base/command')).OpenPlotInput;
  }
}
export class NamedServiceTool extends Asking {
  @inject('loader-service') private anyName!: { loader: Loader };
  async getInputType() {
    return (await this.anyName.loader.import<Inputs>('@cardstack/base/command')).PatchPlotInput;
  }
}
export class OwnerTool extends Asking {
  constructor(context: Context) {
    super(context);
    setOwner(this, getOwner(context)!);
  }
  async getInputType() {
    const { loader } = getOwner(this)!.lookup('service:loader-service') as { loader: Loader };
    return (await loader.import<Inputs>('@cardstack/base/command')).AskGardenerInput;
  }
}
export class InertServiceTool extends Asking {
  @service declare private store: any;
  @service('operator-mode-state') declare private state: any;
  description = 'Uses what means nothing yet.';
  constructor(context: Context) {
    super(context);
    [...this.store.subscribe(() => this.state.refresh()).rows].length;
    new this.state.Watcher({ ...this.store.options });
  }
  async getInputType() {
    await this.store.ready;
    return this.store === this.store && `${this.store}` === '' ? undefined : this.store;
  }
}
/** Each tool has an instance of its own: nothing is left over from another. */
export class ForgetfulTool extends Asking {
  @service declare private store: any;
  constructor(context: Context) {
    super(context);
    const world = globalThis as { seen?: string };
    this.description = `seen: ${world.seen}, ${this.store.seen === true}`;
    world.seen = 'everything';
    this.store.seen = true;
  }
  async getInputType() {
    return undefined;
  }
}
