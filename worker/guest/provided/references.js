// References and realm paths as modules compute with them. Joining is the host's, which has the exact rules.

import * as host from '../host.js';

/** Resolves a reference against a URL or package id. */
export function resolveReference(reference, relativeTo) {
  return host.resolve(String(reference), relativeTo == null ? undefined : String(relativeTo.href ?? relativeTo));
}

/** A realm's root and the paths below it. */
export class RealmPaths {
  constructor(realm) {
    this.url = String(realm.href ?? realm).replace(/\/*$/, '/');
  }
  get realmURL() {
    return new URL(this.url);
  }
  inRealm(url) {
    return String(url.href ?? url).startsWith(this.url);
  }
  fileURL(local) {
    return new URL(local, this.url);
  }
  directoryURL(local) {
    return new URL(local.replace(/\/*$/, '/'), this.url);
  }
  local(url) {
    const href = String(url.href ?? url);
    if (!this.inRealm(href)) throw new Error(`realm ${this.url} does not contain ${href}`);
    return decodeURI(href.slice(this.url.length).split('?')[0]);
  }
}
