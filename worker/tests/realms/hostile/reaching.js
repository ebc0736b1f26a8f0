// Tries to reach out of the sandbox. Each attempt is told as what came of it.
const outcome = async (attempt) => {
  try {
    const value = await attempt();
    return value === undefined ? 'undefined' : `reached ${typeof value}: ${String(value).slice(0, 60)}`;
  } catch (error) {
    return `${error?.name}: ${String(error?.message).slice(0, 120)}`;
  }
};
const globalNamed = (name) => () => globalThis[name];
const evaluated = (text) => () => (0, eval)(text);
const made = (text) => () => new Function(text)();

const attempts = {
  wit: globalNamed('wit'),
  cqjs: globalNamed('__cqjs'),
  witByName: evaluated('wit'),
  cqjsByName: made('return __cqjs'),
  require: globalNamed('require'),
  module: globalNamed('module'),
  Deno: globalNamed('Deno'),
  Bun: globalNamed('Bun'),
  std: globalNamed('std'),
  os: globalNamed('os'),
  scriptArgs: globalNamed('scriptArgs'),
  binding: () => process.binding,
  environment: () => Object.keys(process.env).join() || undefined,
  exit: () => process.exit,
  fetch: () => fetch('https://example.com/'),
  fetchFile: () => fetch('file:///etc/passwd'),
  request: () => new XMLHttpRequest(),
  socket: () => new WebSocket('wss://example.com/'),
  worker: () => new Worker('data:text/javascript,1'),
  importHost: () => import('realmdex:engine/host@0.1.0'),
  importStd: () => import('std'),
  importNode: () => import('node:fs'),
  importData: () => import('data:text/javascript,export default 1'),
  importFile: () => import('file:///etc/passwd'),
  importAbove: () => import('../../../../../../etc/passwd'),
  importNothing: () => import(undefined),
  importSurrogate: () => import('\ud800'),
  urlSurrogate: () => new URL('https://example.com/\udfff').href,
  logSurrogate: () => console.log('half \ud83c'),
  decodeSurrogate: () => new TextDecoder('\ud800'),
  importObject: () => import({ toString: () => './quiet.js' }).then((module) => module.quiet),
  evaluatedImport: evaluated('import("realmdex:engine/host@0.1.0")'),
  evaluatedRelativeImport: evaluated('import("./modules.js")'),
  madeImport: made('return import("realmdex:engine/host@0.1.0")'),
  madeCommentedImport: made('return import/**/("realmdex:engine/host@0.1.0")'),
  madeByParameter: () => new Function('a = import("realmdex:engine/host@0.1.0")', 'return a')(),
  madeByObject: () => new Function({ toString: () => 'return import("realmdex:engine/host@0.1.0")' })(),
  madeByChangingObject: () => {
    let asked = 0;
    return new Function({ toString: () => (asked++ ? 'return import("realmdex:engine/host@0.1.0")' : 'return 1') })();
  },
  madeBySubclass: () => new (class extends Function {})('return import("realmdex:engine/host@0.1.0")')(),
  madeByConstructor: () => (() => {}).constructor('return import("realmdex:engine/host@0.1.0")')(),
  madeByReflection: () => Reflect.construct(Function, ['return import("realmdex:engine/host@0.1.0")'])(),
  madeAsync: () => (async () => {}).constructor('return import("realmdex:engine/host@0.1.0")')(),
  madeGenerator: () => function* () {}.constructor('yield import("realmdex:engine/host@0.1.0")')().next().value,
  madeAsyncGenerator: () =>
    (async function* () {}).constructor('yield import("realmdex:engine/host@0.1.0")')().next().then(({ value }) => value),
  timerText: () => setTimeout('globalThis.timed = true'),
  documentCookie: () => document.cookie || undefined,
  storage: () => localStorage.getItem('token') ?? undefined,
  loaderNetwork: () => import.meta.loader.getVirtualNetwork(),
};

export class ReachingTool {
  description = 'Tells how far it got.';
  async getInputJsonSchema() {
    const examples = [];
    for (const [name, attempt] of Object.entries(attempts)) examples.push(`${name}: ${await outcome(attempt)}`);
    return { attributes: { type: 'object', properties: {}, examples } };
  }
}

/** What evaluating text is used for by modules that mean no harm. */
const harmless = {
  global: made('return typeof globalThis'),
  sum: () => new Function('a', 'b', 'return a + b')(1, 2),
  indirect: evaluated('6 * 7'),
  direct: () => eval('1 + 1'),
  value: () => eval([3])[0],
  called: () => Function('return this')() === globalThis,
  isFunction: () => [new Function() instanceof Function, Function.prototype.constructor === Function, Function.name, Function.length],
  constructorOfAll: () => [(() => {}).constructor === Function, class {}.constructor === Function],
  wordInside: () => new Function('return "important"')(),
};
export class EvaluatingTool {
  description = 'Evaluates text.';
  async getInputJsonSchema() {
    const examples = [];
    for (const [name, attempt] of Object.entries(harmless)) {
      try {
        examples.push([name, await attempt()]);
      } catch (error) {
        examples.push([name, `${error}`]);
      }
    }
    return { attributes: { type: 'object', properties: {}, examples } };
  }
}
/** What a module finds by listing the global object. */
export class ListingTool {
  description = 'Lists the names that no browser has.';
  async getInputJsonSchema() {
    const examples = Object.getOwnPropertyNames(globalThis).filter((name) => /wit|cqjs|realmdex|quickjs|__/i.test(name));
    return { attributes: { type: 'object', properties: {}, examples: [...examples, Object.keys(globalThis).length] } };
  }
}
