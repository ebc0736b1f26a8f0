import { service } from '@ember/service';
import { task } from 'ember-concurrency';
import { debounce } from 'some-package-of-the-application';

import ENV from '@cardstack/host/config/environment';
import { plural } from '@cardstack/host/lib/plot-names';

import HostBaseTool from '../lib/host-base-tool';

import type MapService from '../services/map-service';
import type * as Inputs from '@cardstack/base/command';

const { realmServerURL } = ENV;
const home = new URL('garden/', realmServerURL);

export default class OpenPlotTool extends HostBaseTool<typeof Inputs.OpenPlotInput> {
  @service declare private mapService: MapService;
  @service('plot-history') declare private history: { push(url: string): void };

  static actionVerb = 'Open';
  description = `Opens one of the ${plural} on the map.`;
  requireInputFields = ['plotIdentifier'];

  private remember = task(async (url: string) => debounce(this.history, url));

  async getInputType() {
    const { OpenPlotInput } = await this.loadToolModule();
    return OpenPlotInput;
  }

  protected async run(input: Inputs.OpenPlotInput): Promise<undefined> {
    await this.mapService.open(new URL(input.plotIdentifier, home));
    await this.remember.perform(input.plotIdentifier);
  }
}

// What it was called before; realms still import it.
export { OpenPlotTool as OpenPlotCommand };
