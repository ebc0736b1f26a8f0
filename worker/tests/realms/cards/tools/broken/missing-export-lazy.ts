import { Tool, Trowel } from '@cardstack/runtime-common';

export default class TrowelTool extends Tool<undefined> {
  description = 'Reads the missing name only when it runs.';
  async getInputType() {
    return undefined;
  }
  protected async run() {
    return new Trowel();
  }
}
