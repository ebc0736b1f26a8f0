import { prune } from '@acme/shears/prune';

export default class PruneTool {
  prune = prune;
}
