// The same, once it is asked.
const spin = () => {
  for (;;);
};
export class InConstructor {
  constructor() {
    spin();
  }
}
export class InSchema {
  description = 'd';
  async getInputJsonSchema() {
    await null;
    spin();
  }
}
export const inGetter = {
  description: 'd',
  get inputSchema() {
    return spin();
  },
  run() {},
};
export class InCatch {
  description = 'd';
  getInputJsonSchema() {
    for (;;) {
      try {
        spin();
      } catch {
        // Not to be caught.
      } finally {
        spin();
      }
    }
  }
}
export class InMicrotasks {
  description = 'd';
  getInputJsonSchema() {
    const again = () => queueMicrotask(again);
    again();
    return new Promise(() => {});
  }
}
/** Answers well, and then goes on for ever. */
export class AfterAnswer {
  description = 'd';
  getInputJsonSchema() {
    const again = () => queueMicrotask(again);
    again();
    return { attributes: { type: 'object', properties: {} } };
  }
}
/** A pattern that backtracks without end. */
export class InPattern {
  description = /^(a+)+$/.test(`${'a'.repeat(40)}!`) ? 'yes' : 'no';
  getInputJsonSchema() {}
}
export class InSort {
  description = 'd';
  getInputJsonSchema() {
    const list = Array.from({ length: 2 ** 14 }, (_, at) => at);
    for (;;) list.sort(() => Math.random() - 0.5);
  }
}
export class InImports {
  description = 'd';
  async getInputJsonSchema() {
    for (let at = 0; ; at++) await import('./quiet.js');
  }
}
export class InFailingImports {
  description = 'd';
  async getInputJsonSchema() {
    for (let at = 0; ; at++) await import('./none.js').catch(() => {});
  }
}
