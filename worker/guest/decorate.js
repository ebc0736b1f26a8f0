// The globals that transpiled modules call: decorators, and the stub that stands where a template was.

import { decorate } from './decorators.js';
import { inert } from './inert.js';

/** Defines them, out of the way of a module that lists its globals. */
export function installDecorators(scope) {
  Object.defineProperty(scope, '__realmdexDecorate', { value: decorate });
  Object.defineProperty(scope, '__realmdexTemplate', { value: () => inert('template') });
}
