import HostBaseTool from '../../lib/host-base-tool';

import OpenPlotTool from '../open-plot';

import type * as Inputs from '@cardstack/base/command';

export default class AskGardenerTool extends HostBaseTool<typeof Inputs.AskGardenerInput> {
  description = 'Asks somebody who knows.';

  async getInputType() {
    const { AskGardenerInput } = await this.loadToolModule();
    return AskGardenerInput;
  }

  protected async run(input: Inputs.AskGardenerInput): Promise<undefined> {
    await new OpenPlotTool(this.toolContext).execute({ plotIdentifier: input.question });
  }
}
