import HostBaseTool from '../lib/host-base-tool';

/** Not in the index, so no realm can name it. */
export default class UnlistedTool extends HostBaseTool<undefined> {
  async getInputType() {
    return undefined;
  }

  protected async run(): Promise<undefined> {}
}
