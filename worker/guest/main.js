// The guest's entry: describes one tool per instance.

import * as host from 'realmdex:engine/host@0.1.0';
import * as cardApi from './cards/card-api.js';
import { schemaMappings } from './cards/mappings.js';
import { toolContext } from './provided/ember.js';
import { installDecorators } from './decorate.js';
import { guardEvaluation } from './evaluation.js';
import { importModule } from './modules.js';
import { installPlatform, runTimersUntil } from './platform/index.js';
import { messageOf, stackOf } from './thrown.js';

installPlatform(globalThis, host);
installDecorators(globalThis);
guardEvaluation(globalThis);

// Kept from before any module runs: a module may replace it.
const { stringify } = JSON;

/** Describes the tool `name` of `module` as JSON text: {description, parameters}. The thrown text is for the author. */
export async function describe(module, name) {
  // What the engine's bindings left on the global object is not for modules.
  delete globalThis.wit;
  delete globalThis.__cqjs;
  // The engine looks up how to wait for this promise when it gets it: before any module could replace that.
  await undefined;
  try {
    return await runTimersUntil(describeTool(module, name));
  } catch (error) {
    host.log('debug', `${module}#${name}: ${stackOf(error)}`);
    throw messageOf(error);
  }
}

async function describeTool(specifier, name) {
  const exports = await importModule(specifier, undefined);
  const exported = exports[name];
  if (isPlainTool(exported)) return describePlainTool(exported);
  if (name === 'default' && exported === undefined && isPlainTool(exports)) return describePlainTool(exports);
  if (typeof exported !== 'function') throw new Error(`module does not export a tool class named "${name}"`);
  return describeToolClass(exported);
}

// A Boxel tool: whatever has `getInputJsonSchema`, whether or not it extends our `Tool`.
async function describeToolClass(ToolClass) {
  const tool = new ToolClass(toolContext);
  const description = tool.description;
  const schema = await tool.getInputJsonSchema(cardApi, schemaMappings());
  return answer(description, {
    type: 'object',
    properties: { description: { type: 'string' }, ...schema },
    required: ['attributes', 'description'],
  });
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
