import { getOwner, setOwner } from '@ember/-internals/owner';
import { service } from '@ember/service';

import { Command, type ToolContext } from '@cardstack/runtime-common';

import type LoaderService from '../services/loader-service';
import type { CardDefConstructor } from '@cardstack/base/card-api';
import type * as Inputs from '@cardstack/base/command';

export default abstract class HostBaseTool<
  Input extends CardDefConstructor | undefined,
  Output extends CardDefConstructor | undefined = undefined,
> extends Command<Input, Output> {
  @service declare protected loaderService: LoaderService;

  constructor(toolContext: ToolContext) {
    super(toolContext);
    setOwner(this, getOwner(toolContext)!);
  }

  protected async loadToolModule(): Promise<typeof Inputs> {
    return this.loaderService.loader.import<typeof Inputs>('@cardstack/base/command');
  }
}
