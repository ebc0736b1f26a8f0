// What tool classes use of Ember and its companions while they are described: owners, services and decorators.

import { toolContextStamp } from '../cards/symbols.js';
import { inert } from '../inert.js';
import { loader } from '../loader.js';

const owners = new WeakMap();

export const getOwner = (object) => owners.get(object) ?? owner;
export function setOwner(object, its) {
  owners.set(object, its);
}

const dashed = (name) => name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
const services = new Map([['loader-service', { loader, reset() {}, resetLoader() {} }]]);

// Only the loader means anything before a tool runs; every other service is inert.
function serviceNamed(name) {
  const key = dashed(name);
  if (!services.has(key)) services.set(key, inert(name));
  return services.get(key);
}

const owner = {
  lookup: (fullName) => serviceNamed(String(fullName).replace(/^service:/, '')),
  factoryFor: () => undefined,
  register() {},
  hasRegistration: () => false,
};

/** What a tool class is constructed with. */
export const toolContext = { [toolContextStamp]: true };
setOwner(toolContext, owner);

// `@service name`, `@service('name') other`: a getter, whatever the field declares.
export function service(...args) {
  const decorate = (name) => (target, key) => ({
    configurable: true,
    enumerable: false,
    get: () => serviceNamed(name ?? key),
    set() {},
  });
  return args.length >= 2 ? decorate()(...args) : decorate(args[0]);
}

// Decorators that observe or memoize: what they decorate stays what it is.
const keep = (...args) => (typeof args[1] === 'string' ? undefined : () => undefined);

class EmberObject {
  static create(properties) {
    return Object.assign(new this(), properties);
  }
  static extend() {
    return class extends this {};
  }
}

class Service extends EmberObject {
  constructor(its) {
    super();
    if (its) setOwner(this, its);
  }
}

class GlimmerComponent {
  constructor(its, args) {
    this.args = args ?? {};
  }
}

const owning = { getOwner, setOwner };
const serving = { default: Service, service, inject: service };

export const emberModules = {
  '@ember/owner': owning,
  '@ember/application': owning,
  '@ember/-internals/owner': owning,
  '@ember/service': serving,
  '@ember/object': { default: EmberObject, action: keep, computed: keep, get: (object, key) => object?.[key] },
  '@ember/debug': { assert() {}, warn() {}, deprecate() {}, debug() {}, runInDebug() {} },
  '@ember/destroyable': { registerDestructor: (object) => object, isDestroyed: () => false, isDestroying: () => false },
  '@ember/string': { capitalize: (text) => text.replace(/^./, (first) => first.toUpperCase()), dasherize: dashed },
  '@ember/template': { htmlSafe: (text) => text },
  '@embroider/macros': {
    isTesting: () => false,
    isDevelopingApp: () => false,
    macroCondition: (condition) => condition,
    getOwnConfig: () => ({}),
    dependencySatisfies: () => false,
  },
  '@glimmer/component': { default: GlimmerComponent },
  '@glimmer/tracking': { tracked: keep, cached: keep },
  'ember-provide-consume-context': { provide: keep, consume: keep },
};
