// Evaluating text: `eval` and the constructors of functions. An `import` in such text is resolved by the engine
// itself, past the module runner, and the engine would hand out its bindings to the host. So it is refused: a
// module's own `import()` never comes this way.

const asText = String;
const { construct } = Reflect;
const { defineProperty } = Object;
const test = Function.prototype.call.bind(RegExp.prototype.test);

// A keyword can't be spelled with escapes. The pattern has its own `exec`: `test` asks the pattern for it.
const word = defineProperty(/\bimport\b/, 'exec', { value: RegExp.prototype.exec });

// Each argument becomes the text that is evaluated before it is looked at, so that it can't be another one later.
function allowed(texts) {
  for (let at = 0; at < texts.length; at += 1) {
    const text = asText(texts[at]);
    if (test(word, text)) {
      throw new SyntaxError("evaluated text can't import: write the import in the module itself");
    }
    defineProperty(texts, at, { __proto__: null, value: text });
  }
  return texts;
}

function guarded(Native, parent) {
  const Guarded = function (...texts) {
    return construct(Native, allowed(texts), new.target ?? Native);
  };
  defineProperty(Guarded, 'name', { value: Native.name, configurable: true });
  defineProperty(Guarded, 'length', { value: Native.length, configurable: true });
  defineProperty(Guarded, 'prototype', { value: Native.prototype, writable: false });
  defineProperty(Native.prototype, 'constructor', { value: Guarded });
  return parent === undefined ? Guarded : Object.setPrototypeOf(Guarded, parent);
}

/** Puts the guarded forms in the place of the engine's, wherever a module could find them. */
export function guardEvaluation(scope) {
  const evaluate = scope.eval;
  const guardedEval = (...text) => (typeof text[0] === 'string' ? evaluate(allowed(text)[0]) : text[0]);
  defineProperty(scope, 'eval', { value: defineProperty(guardedEval, 'name', { value: 'eval' }) });

  const kinds = [async () => {}, function* () {}, async function* () {}].map((one) => one.constructor);
  const GuardedFunction = guarded(scope.Function);
  defineProperty(scope, 'Function', { value: GuardedFunction });
  for (const Native of kinds) guarded(Native, GuardedFunction);
}
