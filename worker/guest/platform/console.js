// `console`: each call is one line to the host's log (tracing), bounded, and never an error of the module.

import { log } from './host-services.js';
import { defineHidden } from './install.js';
import { describeError, inspect } from './inspect.js';

const MAX_LINE = 8192;

/** The text of `args` with the console standard's format directives applied. */
export function formatLine(args) {
  const rest = [...args];
  const parts = [];
  if (typeof rest[0] === 'string' && rest.length > 1) {
    const format = rest.shift();
    parts.push(format.replace(/%[sdifoOc%]/g, (directive) => {
      if (directive === '%%') return '%';
      return rest.length === 0 ? directive : directed(directive, rest.shift());
    }));
  }
  for (const value of rest) parts.push(typeof value === 'string' ? value : inspect(value));
  const line = parts.join(' ');
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}

function directed(directive, value) {
  switch (directive) {
    case '%s':
      return typeof value === 'object' || typeof value === 'function' ? inspect(value) : String(value);
    case '%d':
    case '%i':
      return typeof value === 'symbol' ? 'NaN' : String(Number.parseInt(value, 10));
    case '%f':
      return typeof value === 'symbol' ? 'NaN' : String(Number.parseFloat(value));
    case '%c':
      return ''; // CSS
    default:
      return inspect(value);
  }
}

/** Makes the `console` object. */
export function makeConsole() {
  const counts = new Map();
  let indent = '';

  function write(level, args) {
    let line;
    try {
      line = formatLine(args);
    } catch (error) {
      // A value that throws when it is looked at (a proxy, a broken prototype).
      line = `(could not be shown: ${error?.message ?? 'no reason given'})`;
    }
    log(level, indent + line);
  }

  const console = {};
  defineHidden(console, {
    log: (...args) => write('info', args),
    info: (...args) => write('info', args),
    warn: (...args) => write('warn', args),
    error: (...args) => write('error', args),
    debug: (...args) => write('debug', args),
    dir: (value) => write('info', [value]),
    dirxml: (...args) => write('info', args),
    table: (value) => write('info', [value]),
    trace: (...args) => write('debug', ['Trace:', ...args, describeError(new Error('trace'))]),
    assert(condition, ...args) {
      if (!condition) write('error', ['Assertion failed:', ...args]);
    },
    count(label = 'default') {
      const count = (counts.get(String(label)) ?? 0) + 1;
      counts.set(String(label), count);
      write('info', [`${label}: ${count}`]);
    },
    countReset: (label = 'default') => void counts.delete(String(label)),
    group(...args) {
      if (args.length > 0) write('info', args);
      indent += '  ';
    },
    groupCollapsed: (...args) => console.group(...args),
    groupEnd() {
      indent = indent.slice(2);
    },
    // No time passes here.
    time() {},
    timeLog: (label = 'default', ...args) => write('info', [`${label}: 0 ms`, ...args]),
    timeEnd: (label = 'default') => write('info', [`${label}: 0 ms`]),
    timeStamp() {},
    clear() {},
    [Symbol.toStringTag]: 'console',
  });
  return console;
}
