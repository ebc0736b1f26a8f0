// How modules reach each other.
import { Tool } from '@cardstack/runtime-common';

import * as barrel from '../cards/index';
import defaultPlant, { Bonsai, Flower, Probe, Vase, Wood, soil } from '../cards/index';
import { counter, increase } from './live';

import { takes } from './describing';

declare global {
  interface ImportMeta {
    loader: { import<T>(specifier: string): Promise<T> };
  }
}

abstract class Base extends Tool<any> {
  protected async run(): Promise<undefined> {}
}

export class BarrelTool extends takes(defaultPlant) {
  description = `${Object.keys(barrel).sort()}; ${defaultPlant === barrel.Plant}, ${Wood === barrel.Tree}, ${
    soil.Sample === Probe
  }, ${(Bonsai as any) === soil.Nothing}`;
}
export class CycleTool extends takes(Flower) {}
export class OtherEndTool extends takes(Vase) {}
export class LiveTool extends takes(undefined) {
  description = `before ${counter}, ${(increase(), counter)} after`;
}

export class DynamicTool extends Base {
  description = 'Imports its input type when it is asked.';
  async getInputType() {
    const name = 'plant';
    const [{ Tree }, again] = await Promise.all([import(`../cards/${name}`), import('../cards/plant.gts')]);
    return again.Tree === Tree ? Tree : undefined;
  }
}
export class LoaderTool extends Base {
  description = 'Imports by its loader, which knows no relative names.';
  async getInputType() {
    const here = new URL('../cards/plant', import.meta.url).href;
    const { Plant } = await import.meta.loader.import<typeof import('../cards/plant')>(here);
    return Plant;
  }
}
export class RelativeLoaderTool extends Base {
  async getInputType() {
    return import.meta.loader.import('../cards/plant');
  }
}
export class CaughtTool extends Base {
  description = 'Goes without what is not there.';
  async getInputType() {
    const { Tree } = await import('./no-such-module').catch(() => import('../cards/plant'));
    return Tree;
  }
}
export class RethrownTool extends Base {
  async getInputType() {
    await import('./no-such-module').catch(() => {
      throw new Error('the optional part is missing');
    });
  }
}
export class MetaTool extends Base {
  description = `${import.meta.url} ${Object.keys(import.meta).sort()}`;
  async getInputType() {
    return undefined;
  }
}
