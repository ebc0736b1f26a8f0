// The tools that realms may call, by file name.
import HostBaseTool from '../lib/host-base-tool';

import * as AskGardenerModule from './bots/ask-gardener';
import * as OpenPlotModule from './open-plot';
import * as PatchPlotModule from './patch-plot';
import * as SearchPlotsModule from './search-plots';

import type { VirtualNetwork } from '@cardstack/runtime-common';

const registered = {
  'ask-gardener': AskGardenerModule,
  'open-plot': OpenPlotModule,
  'patch-plot': PatchPlotModule,
  'search-plots': SearchPlotsModule,
} satisfies Record<string, object>;

export function register(network: VirtualNetwork): (typeof HostBaseTool)[] {
  return Object.entries(registered).flatMap(([name, module]) => {
    for (const folder of ['tools', 'commands'] as const) {
      network.shimModule(`@cardstack/boxel-host/${folder}/${name}`, module);
    }
    return Object.values(module).filter((exported) => typeof exported === 'function');
  });
}
