// What is imported for its type alone may be missing.
import type { Rake } from '../rake';
import { type Hoe, type Spade } from 'no-such-package';
import { Fork } from 'https://elsewhere.test/fork';
import { Tool } from '@cardstack/runtime-common';

export default class TypedTool extends Tool<undefined> {
  description = 'Needs only types.';
  rake?: Rake;
  hoe?: Hoe & Spade & Fork;
  async getInputType() {
    return undefined;
  }
}
