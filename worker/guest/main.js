// The guest's entry: describes one tool per instance.

import * as host from './host.js';
import * as cardApi from './cards/card-api.js';
import { schemaMappings } from './cards/mappings.js';
import { toolContext } from './provided/ember.js';
import { provideCommonPackages } from './provided/index.js';
import { installDecorators } from './decorate.js';
import { guardEvaluation } from './evaluation.js';
import { importModule, importThatThrew } from './modules.js';
import { isInert } from './inert.js';
import { installPlatform, runTimersUntil } from './platform/index.js';
import { messageOf, stackOf } from './thrown.js';

installPlatform(globalThis, host);
installDecorators(globalThis);
provideCommonPackages();
guardEvaluation(globalThis);

// Kept from before any module runs: a module may replace them.
const { stringify } = JSON;
const { construct } = Reflect;
const BaseObject = Object;

/** Describes the tool `name` of `module` as JSON text: {description, parameters}. The thrown text is for the author. */
export async function describe(module, name) {
  // What the engine's bindings left on the global object is not for modules.
  delete globalThis.wit;
  delete globalThis.__cqjs;
  try {
    return await runTimersUntil(describeInTurn(module, name));
  } catch (error) {
    host.log('debug', `${module}#${name}: ${stackOf(error)}`);
    const culprit = importThatThrew(error);
    throw culprit === undefined ? messageOf(error) : `${messageOf(error)} (while importing ${culprit})`;
  }
}

// Whoever waits for a promise looks up how when it gets it. All of ours do so before any module runs, and a module
// that replaces `then` gains nothing; for the same reason no promise is returned from an async function unawaited.
async function describeInTurn(specifier, name) {
  await undefined;
  return await describeTool(specifier, name);
}

async function describeTool(specifier, name) {
  const exports = await importModule(specifier, undefined);
  const exported = exports[name];
  if (isPlainTool(exported)) return describePlainTool(exported);
  if (name === 'default' && exported === undefined && isPlainTool(exports)) return describePlainTool(exports);
  if (typeof exported !== 'function') throw new Error(`module does not export a tool class named "${name}"`);
  return await describeToolClass(exported);
}

// A Boxel tool: whatever has `getInputJsonSchema`, whether or not it extends our `Tool`.
async function describeToolClass(ToolClass) {
  if (isInert(ToolClass)) throw new Error('this export is of a package that is only stood in for here: it is no tool');
  if (!isConstructor(ToolClass)) throw new TypeError('this export is a function that is no class: export the tool class');
  const tool = new ToolClass(toolContext);
  const description = tool.description;
  if (typeof tool.getInputJsonSchema !== 'function') {
    throw new TypeError('this class is no tool: it has no method getInputJsonSchema, which those that extend Tool have');
  }
  const schema = await tool.getInputJsonSchema(cardApi, schemaMappings());
  return answer(description, {
    type: 'object',
    properties: { description: { type: 'string' }, ...schema },
    required: ['attributes', 'description'],
  });
}

// Constructs something else in its name: nothing of the class runs.
function isConstructor(value) {
  try {
    construct(BaseObject, [], value);
    return true;
  } catch {
    return false;
  }
}

function isPlainTool(value) {
  return typeof value === 'object' && value !== null && typeof value.run === 'function' && 'inputSchema' in value;
}

// A plain tool says its parameters itself.
function describePlainTool(tool) {
  const { description, inputSchema } = tool;
  if (typeof inputSchema !== 'object' || inputSchema === null || inputSchema.type !== 'object') {
    throw new Error("a plain tool's inputSchema must be a JSON Schema whose type is 'object'");
  }
  return answer(description, inputSchema);
}

function answer(description, parameters) {
  if (description !== undefined && typeof description !== 'string') {
    throw new Error(`a tool's description must be a string, not ${description === null ? 'null' : typeof description}`);
  }
  return stringify({ __proto__: null, description, parameters });
}
