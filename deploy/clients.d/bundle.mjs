// Bundles Boxel's clients from a checkout, as they are: node bundle.mjs CHECKOUT WORK
//
// WORK/cli/dist/index.js   the `boxel` command, from the same entry as Boxel's own build
// WORK/agent.cjs           how Boxel's agent reads a realm: executeReadRealmFile and what it works with
//
// Packages are those of WORK/node_modules. What is not there stands in as an absence: it can be imported, and says so
// when it is used. That is the compiler, the browser and Matrix, which commands that read realms never come to.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import path from 'node:path';

const [checkout, work] = process.argv.slice(2).map((given) => path.resolve(given));
const packages = path.join(checkout, 'packages');
const ours = createRequire(path.join(work, 'package.json'));
const { build } = ours('esbuild');

// Boxel's own packages by name. The two that are barrels of nearly everything come down to what a reading agent takes
// from them, from the same files.
const narrowed = {
  '@cardstack/runtime-common': `
    export { logger } from '${packages}/runtime-common/log.ts';
    export { SupportedMimeType } from '${packages}/runtime-common/supported-mime-type.ts';
    export const unixTime = (milliseconds) => Math.floor(milliseconds / 1000);`,
  '@cardstack/runtime-common/ai': `
    export { sendMatrixEvent } from '${packages}/runtime-common/ai/matrix-utils.ts';`,
};

// The compiler, which commands that write code call.
const beyond = new Set(['@cardstack/runtime-common/transpile']);

const fromCheckout = {
  name: 'from-checkout',
  setup(build) {
    build.onResolve({ filter: /^[./]/ }, ({ path: name, resolveDir }) => {
      const file = path.resolve(resolveDir, name);
      return file.startsWith(packages) && existsSync(file) ? { path: file, sideEffects: false } : undefined;
    });
    build.onResolve({ filter: /^[^./]/ }, ({ path: name, kind }) => {
      if (kind === 'entry-point') return undefined;
      if (builtinModules.includes(name.replace(/^node:/, ''))) return { path: name, external: true };
      if (beyond.has(name)) return { path: name, namespace: 'absent', sideEffects: false };
      if (name in narrowed) return { path: name, namespace: 'narrowed' };
      const own = /^@cardstack\/([^/]+)\/(.+)$/.exec(name);
      const file = own && path.join(packages, own[1], `${own[2]}.ts`);
      if (file && existsSync(file)) return { path: file, sideEffects: false };
      try {
        return { path: ours.resolve(name) };
      } catch {
        return { path: name, namespace: 'absent', sideEffects: false };
      }
    });
    build.onLoad({ filter: /.*/, namespace: 'narrowed' }, ({ path: name }) => ({
      contents: narrowed[name],
      resolveDir: packages,
    }));
    build.onLoad({ filter: /.*/, namespace: 'absent' }, ({ path: name }) => ({
      contents: `
        const fail = () => { throw new Error(${JSON.stringify(`${name} is absent from this bundle`)}); };
        const absent = new Proxy(function () {}, {
          get: (_, key) => (key === 'prototype' ? {} : absent),
          getPrototypeOf: () => absent,
          apply: fail,
          construct: fail,
        });
        module.exports = absent;`,
    }));
  },
};

const settings = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  logLevel: 'warning',
  logOverride: { 'direct-eval': 'silent' },
  define: { 'import.meta.dirname': '__dirname' },
  plugins: [fromCheckout],
};

mkdirSync(path.join(work, 'cli', 'dist'), { recursive: true });
// It says its version from there.
copyFileSync(path.join(packages, 'boxel-cli', 'package.json'), path.join(work, 'cli', 'package.json'));
await build({
  ...settings,
  entryPoints: [path.join(packages, 'boxel-cli', 'src', 'index.ts')],
  outfile: path.join(work, 'cli', 'dist', 'index.js'),
});
await build({
  ...settings,
  stdin: {
    contents: `
      export { executeReadRealmFile } from './ai-bot/lib/read-realm-file.ts';
      export { fulfillReadRealmFileCalls } from './ai-bot/lib/read-realm-file-fulfillment.ts';
      export { DelegatedUserRealmSessionManager } from './ai-bot/lib/user-delegated-realm-server-session.ts';`,
    resolveDir: packages,
    sourcefile: 'agent.ts',
    loader: 'ts',
  },
  outfile: path.join(work, 'agent.cjs'),
});
