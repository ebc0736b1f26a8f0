// What the host application's own modules use of it: its configuration, which no mapped folder holds, and the base
// class of its tools, for when its `lib/` folder is not mapped.

import { loader } from '../loader.js';
import { Tool } from '../cards/tool.js';
import { getOwner, setOwner } from './ember.js';

class HostBaseTool extends Tool {
  constructor(toolContext) {
    super(toolContext);
    setOwner(this, getOwner(toolContext));
  }
  get loaderService() {
    return { loader };
  }
  loadToolModule() {
    return loader.import('@cardstack/base/command');
  }
}

const realmServer = 'https://localhost:4201/';

// The values a development build has. Modules make URLs of them at import; no definition depends on which.
const environment = {
  modulePrefix: '@cardstack/host',
  environment: 'production',
  APP: { version: '0.0.0' },
  realmServerURL: realmServer,
  resolvedBaseRealmURL: `${realmServer}base/`,
  resolvedCatalogRealmURL: `${realmServer}catalog/`,
  resolvedSkillsRealmURL: `${realmServer}skills/`,
  resolvedOpenRouterRealmURL: `${realmServer}openrouter/`,
  matrixURL: 'http://localhost:8008',
  matrixServerName: 'localhost',
  publishedRealmBoxelSpaceDomain: 'localhost:4201',
  publishedRealmBoxelSiteDomain: 'localhost:4201',
  cardRenderTimeout: 30000,
};

// The host names its own modules by either package name.
const ofHost = (path, exports) => ({ [`@cardstack/host/${path}`]: exports, [`@cardstack/boxel-host/${path}`]: exports });

export const hostModules = {
  ...ofHost('lib/host-base-tool', { default: HostBaseTool }),
  ...ofHost('config/environment', { default: environment }),
  '@embroider/config-meta-loader': { default: () => environment },
};
