import { Tool } from '@cardstack/runtime-common';
import rake from '../rake';

export default class RakeTool extends Tool<undefined> {
  rake = rake;
}
