// What Boxel's own page adds to a browser's globals before it loads any module (its `index.html`): a `process` for
// packages written for Node, and `global`.

/** The `process` of Boxel's page: it has no environment, and `nextTick` is a microtask. */
export const process = {
  env: {},
  browser: true,
  version: '',
  versions: {},
  platform: 'browser',
  nextTick(callback, ...args) {
    queueMicrotask(() => callback(...args));
  },
  cwd: () => '',
};
