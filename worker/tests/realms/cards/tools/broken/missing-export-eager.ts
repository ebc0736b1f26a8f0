import { Tool, Trowel } from '@cardstack/runtime-common';

export default class TrowelTool extends Tool<undefined> {
  static trowel = new Trowel();
}
