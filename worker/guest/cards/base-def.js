// The root of all card, field and file classes.

import { isBaseInstance, meta, realmURL, relativeTo } from './symbols.js';

export class BaseDef {
  [isBaseInstance] = true;
  [relativeTo] = undefined;
  [meta] = undefined;

  static baseDef = undefined;
  static displayName = 'Base';
  static getDisplayName(instance) {
    return instance.constructor.displayName;
  }
  static getIconComponent(instance) {
    return instance.constructor.icon;
  }
  static assignInitialFieldValue(instance, name, value) {
    instance[name] = value;
  }

  get [realmURL]() {
    return undefined;
  }

  constructor(data) {
    for (const [name, value] of Object.entries(data ?? {})) {
      this.constructor.assignInitialFieldValue(this, name, value);
    }
  }
}
