// `localStorage` and `sessionStorage`: in memory, empty at the start of each description.

import { webInterface } from './install.js';

let itemsOf;

const Storage = webInterface(class Storage {
  #items = new Map();

  static {
    itemsOf = (storage) => storage.#items;
  }

  get length() {
    return itemsOf(plain(this)).size;
  }

  key(index) {
    return [...itemsOf(plain(this)).keys()][index] ?? null;
  }

  getItem(key) {
    return itemsOf(plain(this)).get(String(key)) ?? null;
  }

  setItem(key, value) {
    itemsOf(plain(this)).set(String(key), String(value));
  }

  removeItem(key) {
    itemsOf(plain(this)).delete(String(key));
  }

  clear() {
    itemsOf(plain(this)).clear();
  }
});

/** The storage behind the proxy that modules see. */
const storages = new WeakMap();
const plain = (proxy) => storages.get(proxy) ?? proxy;

// Items are properties too (`localStorage.theme = 'dark'`); methods win.
const handler = {
  get: (storage, key) => (isItem(storage, key) ? itemsOf(storage).get(key) : Reflect.get(storage, key)),
  set(storage, key, value) {
    if (typeof key === 'symbol') return Reflect.set(storage, key, value);
    storage.setItem(key, value);
    return true;
  },
  has: (storage, key) => isItem(storage, key) || Reflect.has(storage, key),
  deleteProperty(storage, key) {
    storage.removeItem(String(key));
    return true;
  },
  ownKeys: (storage) => [...itemsOf(storage).keys()],
  getOwnPropertyDescriptor: (storage, key) =>
    isItem(storage, key)
      ? { value: itemsOf(storage).get(key), writable: true, enumerable: true, configurable: true }
      : undefined,
};

const isItem = (storage, key) => typeof key === 'string' && !(key in Storage.prototype) && itemsOf(storage).has(key);

function makeStorage() {
  const storage = new Storage();
  const proxy = new Proxy(storage, handler);
  storages.set(proxy, storage);
  return proxy;
}

/** The globals of web storage. */
export const storageGlobals = { Storage, localStorage: makeStorage(), sessionStorage: makeStorage() };
