// `@cardstack/runtime-common`: the part that defines and describes tools is real, the rest of its names inert.

import * as kinds from '../cards/kinds.js';
import { getField } from '../cards/field-lookup.js';
import { schemaMappings } from '../cards/mappings.js';
import { generateJsonSchemaForCardType } from '../cards/schema.js';
import * as symbols from '../cards/symbols.js';
import { Tool } from '../cards/tool.js';
import { inert } from '../inert.js';
import { loader } from '../loader.js';
import { identify } from '../modules.js';
import { RealmPaths, resolveReference } from './references.js';

export { runtimeCommonNames } from './runtime-common-names.js';

const baseRef = (module, name) => ({ module: `@cardstack/base/${module}`, name });

const executableExtensions = ['.js', '.gjs', '.ts', '.gts'];
const trimExecutableExtension = (id) => id.replace(/\.(js|gjs|ts|gts)$/, '');
const hasExecutableExtension = (path) => /\.(js|gjs|ts|gts)$/.test(path) && !path.endsWith('.d.ts');

function codeRefWithAbsoluteIdentifier(ref, relativeTo, options) {
  if ('type' in ref) return { ...ref, card: codeRefWithAbsoluteIdentifier(ref.card, relativeTo) };
  const module = resolveReference(ref.module, relativeTo);
  return { ...ref, module: options?.trimExecutableExtension ? trimExecutableExtension(module) : module };
}

function isResolvedCodeRef(ref) {
  return Boolean(ref) && typeof ref === 'object' && typeof ref.module === 'string' && typeof ref.name === 'string';
}

function simpleHash(text) {
  let hash = 5381;
  for (let at = 0; at < text.length; at++) hash = (hash * 33) ^ text.charCodeAt(at);
  return (hash >>> 0).toString(16);
}

const moduleForFunctionNameHash = (module) =>
  module.replace(/^@cardstack\/boxel-host\/tools\//, '@cardstack/boxel-host/commands/');

function functionNameOf(ref) {
  if (!ref?.module || !ref?.name) return '';
  const friendly = ref.name === 'default' ? ref.module.split('/').pop().replace(/\.gts$/, '') : ref.name;
  return `${friendly}_${simpleHash(`${moduleForFunctionNameHash(ref.module)}#${ref.name}`).slice(0, 4)}`;
}

const functionName = (ref, relativeTo) =>
  ref?.module && ref?.name ? functionNameOf(codeRefWithAbsoluteIdentifier(ref, relativeTo)) : '';

async function getClass(ref, from) {
  return (await from.import(ref.module))[ref.name];
}

async function loadCardDef(ref, { loader: from, relativeTo }) {
  const card = await getClass(codeRefWithAbsoluteIdentifier(ref, relativeTo), from);
  if (!kinds.isBaseDef(card)) throw new Error(`${ref.module} exports no card or field named ${ref.name}`);
  return card;
}

class Deferred {
  constructor() {
    Object.assign(this, Promise.withResolvers());
  }
  fulfill(value) {
    this.resolve(value);
  }
}

class Loader {
  static identify = identify;
  static getLoaderFor = () => loader;
  import = loader.import;
}

const ensureTrailingSlash = (url) => url.replace(/\/*$/, '/');
const silentLogger = () => ({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
const asIs = (value) => value;

/** The exports that are real. Made at first use, when every module of the guest has been evaluated. */
export function runtimeCommon() {
  const { isBaseInstance, isField, isSpec, fields, fieldsUntracked, fieldSerializer, getMenuItems } = symbols;
  const { localId, meta, primitive, realmURL, relativeTo, toolContextStamp } = symbols;
  return {
    Tool, Command: Tool, ToolContextStamp: toolContextStamp, CommandContextStamp: toolContextStamp,
    isBaseInstance, isField, isSpec, fields, fieldsUntracked, fieldSerializer, getMenuItems,
    localId, meta, primitive, realmURL, relativeTo,
    ...kinds,
    getField,
    generateJsonSchemaForCardType,
    basicMappings: async () => schemaMappings(),
    getAncestor: (Class) => {
      const parent = Object.getPrototypeOf(Class);
      return kinds.isBaseDef(parent) ? parent : undefined;
    },
    identifyCard: identify,
    loaderFor: () => loader,
    Loader,
    getClass, loadCardDef,
    moduleFrom: (ref) => ('type' in ref ? ref.card.module : ref.module),
    codeRefWithAbsoluteIdentifier, isResolvedCodeRef, isCodeRef: isResolvedCodeRef,
    resolveRRIReference: resolveReference,
    executableExtensions, trimExecutableExtension, hasExecutableExtension,
    trimJsonExtension: (id) => id.replace(/\.json$/, ''),
    simpleHash, moduleForFunctionNameHash,
    buildToolFunctionName: functionName, buildCommandFunctionName: functionName,
    buildToolFunctionNameFromResolvedRef: functionNameOf, buildCommandFunctionNameFromResolvedRef: functionNameOf,
    RealmPaths, ensureTrailingSlash,
    ri: asIs, rri: asIs,
    baseRealm: new RealmPaths('https://cardstack.com/base/'),
    baseRealmRRI: '@cardstack/base/', baseRRI: (path) => `@cardstack/base/${path}`,
    baseRef: baseRef('card-api', 'BaseDef'),
    baseCardRef: baseRef('card-api', 'CardDef'),
    baseFieldRef: baseRef('card-api', 'FieldDef'),
    baseFileRef: baseRef('card-api', 'FileDef'),
    specRef: baseRef('spec', 'Spec'),
    skillCardRef: baseRef('skill', 'Skill'),
    markdownDefRef: baseRef('markdown-file-def', 'MarkdownDef'),
    devSkillLocalPath: 'Skill/boxel-development',
    envSkillLocalPath: 'Skill/boxel-environment',
    skillsIndexLocalPath: 'index.md',
    Deferred,
    logger: silentLogger,
    uuidv4: () => crypto.randomUUID(),
    delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    SupportedMimeType: inert('SupportedMimeType'),
  };
}
