import HostBaseTool from '../lib/host-base-tool';

import type * as Inputs from '@cardstack/base/command';

export default class PatchPlotTool extends HostBaseTool<typeof Inputs.PatchPlotInput> {
  description = 'Changes a plot.';
  requireInputFields = ['plotIdentifier', 'patch'];

  async getInputType() {
    return (await this.loadToolModule()).PatchPlotInput;
  }

  protected async run(): Promise<undefined> {}
}
