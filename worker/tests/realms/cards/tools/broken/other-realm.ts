import { Seed } from 'https://unknown.test/seeds/seed';

export default class SeedTool {
  seed = new Seed();
}
