// The module runner: modules come transpiled from the host, with their static closure, and are evaluated here in
// import order with live bindings. Cycles see what is exported so far, as in ECMAScript.

import * as host from './host.js';
import { loader } from './loader.js';
import { provided } from './provided/index.js';

/** Modules of this instance by id: {id, url, code, imports, exports, state, error}. */
const registry = new Map();
/** The same by id without extension. */
const byTrimmedId = new Map();

// One text and not a list: to spread a list is to ask the module's own idea of iteration.
const parameters =
  '__vite_ssr_import__, __vite_ssr_dynamic_import__, __vite_ssr_import_meta__, __vite_ssr_exports__, __vite_ssr_exportAll__';
/** The first module that was evaluated, and the first that failed. */
let toolModule;
let failed;

// Kept from before any module runs: a module may replace the global, and must not get at what we pass.
const CompiledFunction = Function;
const ModuleView = Proxy;
const Uninitialized = ReferenceError;

Object.assign(loader, {
  import: (specifier) => importModule(specifier, undefined),
  getVirtualNetwork: () => undefined,
  identify,
});

/** Loads and evaluates what `specifier` names in `importer` (a module id). */
export async function importModule(specifier, importer) {
  return importNow(String(specifier), importer);
}

function importNow(specifier, importer) {
  const { target, provided: isProvided, modules } = host.load(specifier, importer);
  for (const { id, url, code, imports } of modules) {
    const module = {
      id, url, code,
      imports: new Map(imports.map((binding) => [binding.specifier, binding])),
      exports: Object.create(null),
      state: 'loaded',
      error: undefined,
    };
    registry.set(id, module);
    byTrimmedId.set(trimmed(id), module);
  }
  return isProvided ? provided(target) : evaluate(target);
}

function evaluate(id) {
  toolModule ??= id;
  const module = registry.get(id);
  if (module.state === 'failed') throw module.error;
  if (module.state !== 'loaded') return module.exports;
  module.state = 'evaluating';
  try {
    const run = new CompiledFunction(parameters, module.code);
    module.code = undefined;
    run(
      (specifier) => importStatically(module, specifier),
      (specifier) => importModule(specifier, module.id),
      { url: module.url, loader },
      module.exports,
      (namespace) => exportAll(module.exports, namespace),
    );
    module.state = 'evaluated';
    return module.exports;
  } catch (error) {
    module.state = 'failed';
    module.error = error;
    failed ??= { id, error };
    throw error;
  }
}

/** The module that threw `thrown` while it was evaluated, where that was not the tool's own but one it imports. */
export function importThatThrew(thrown) {
  return failed?.error === thrown && failed.id !== toolModule ? failed.id : undefined;
}

function importStatically(module, specifier) {
  const binding = module.imports.get(specifier);
  if (binding.provided) return provided(binding.target);
  const imported = registry.get(binding.target);
  return imported.state === 'evaluating' ? unfinished(imported) : evaluate(binding.target);
}

// In a cycle a module sees exports that are not there yet. Boxel's modules fill in their exports at their end, so there
// these read as undefined, and ours must not be errors.
function unfinished(module) {
  return new ModuleView(module.exports, {
    get(exports, key) {
      try {
        return exports[key];
      } catch (error) {
        if (module.state === 'evaluating' && error instanceof Uninitialized) return undefined;
        throw error;
      }
    },
  });
}

function exportAll(exports, namespace) {
  for (const name of Object.keys(namespace)) {
    if (name === 'default' || name in exports) continue;
    Object.defineProperty(exports, name, { enumerable: true, configurable: true, get: () => namespace[name] });
  }
}

/** The exports of a module that is loaded already, by its id without extension; undefined where it is not. */
export function loadedExports(trimmedId) {
  const module = byTrimmedId.get(trimmedId);
  return module?.state === 'evaluated' ? module.exports : undefined;
}

const trimmed = (id) => id.replace(/\.(js|gjs|ts|gts)$/, '');

/** Which module exports `value`, and as what. */
export function identify(value) {
  for (const module of registry.values()) {
    if (module.state !== 'evaluated') continue;
    for (const name of Object.keys(module.exports)) {
      if (module.exports[name] === value) return { module: trimmed(module.id), name };
    }
  }
  return undefined;
}
