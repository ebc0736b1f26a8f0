// Which of our own modules a specifier gets where the host application would have handed out its bundled package.

import { core, fallback } from '../cards/base-modules.js';
import { standInNamespace } from '../inert.js';
import { emberModules } from './ember.js';
import { packages } from './packages.js';
import { runtimeCommon, runtimeCommonNames } from './runtime-common.js';
import { hostModules } from './host.js';

const BASE = '@cardstack/base/';
const namespaces = new Map();

/** The namespace for a specifier that the host said is provided. One per specifier: identity is kept. */
export function provided(specifier) {
  let namespace = namespaces.get(specifier);
  if (!namespace) namespaces.set(specifier, (namespace = make(specifier)));
  return namespace;
}

/** Makes the namespaces that nearly every tool uses, so that they are in the snapshot. */
export function provideCommonPackages() {
  for (const specifier of ['@cardstack/runtime-common', ...Object.keys(emberModules)]) provided(specifier);
  for (const name of Object.keys(core)) provided(`${BASE}${name}`);
}

function make(specifier) {
  if (specifier.startsWith(BASE)) {
    const name = specifier.slice(BASE.length);
    return standInNamespace(specifier, core[name] ?? fallback[name]);
  }
  // Boxel hands out its runtime package itself with a check on names; its submodules are bundled with the host.
  if (specifier === '@cardstack/runtime-common') return standInNamespace(specifier, runtimeCommon(), runtimeCommonNames);
  if (specifier.startsWith('@cardstack/runtime-common/')) return standInNamespace(specifier, runtimeCommon());
  return standInNamespace(specifier, hostModules[specifier] ?? emberModules[specifier] ?? packages[specifier]);
}
