import { flatMap } from 'lodash-es';

import { baseRealm } from '@cardstack/runtime-common';
import { plural } from '@cardstack/boxel-host/lib/plot-names';

import HostBaseTool from '../lib/host-base-tool';

import type * as Inputs from '@cardstack/base/command';

abstract class Search extends HostBaseTool<typeof Inputs.SearchPlotsInput> {
  async getInputType() {
    const { SearchPlotsInput } = await this.loadToolModule();
    return SearchPlotsInput;
  }

  protected async run(input: Inputs.SearchPlotsInput): Promise<undefined> {
    flatMap([input.query], (query) => [query, baseRealm.url]);
  }
}

export class SearchPlotsTool extends Search {
  description = `Finds ${plural}.`;
}

export class CountPlotsTool extends Search {
  description = `Counts ${plural}.`;
  ignoreInputFields = ['cardInfo', 'within'];
}
