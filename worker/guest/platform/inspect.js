// Values as text for the log: short, bounded, and without running the module's code (getters are not called).

const MAX_DEPTH = 2;
const MAX_ENTRIES = 50;
const MAX_STRING = 1000;

/** An error as a line and its stack; anything else thrown as `inspect` shows it. */
export function describeError(error) {
  if (!(error instanceof Error)) return inspect(error);
  const head = `${error.name}: ${error.message}`;
  const stack = typeof error.stack === 'string' ? error.stack.trimEnd() : '';
  if (stack === '') return head;
  return stack.startsWith(head) ? stack : `${head}\n${stack}`;
}

/** One value as text. Strings are quoted: whoever logs one alone writes it as it is. */
export function inspect(value) {
  return show(value, 0, new Set());
}

function show(value, depth, above) {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'bigint':
      return `${value}n`;
    case 'symbol':
      return value.toString();
    case 'function':
      return showFunction(value);
    case 'object':
      return value === null ? 'null' : showObject(value, depth, above);
    default:
      return Object.is(value, -0) ? '-0' : String(value);
  }
}

function quote(text) {
  return JSON.stringify(text.length > MAX_STRING ? `${text.slice(0, MAX_STRING)}…` : text);
}

function showFunction(value) {
  const kind = /^class\b/.test(Function.prototype.toString.call(value)) ? 'class' : 'Function:';
  const name = ownValue(value, 'name');
  return `[${kind} ${typeof name === 'string' && name !== '' ? name : '(anonymous)'}]`;
}

function showObject(value, depth, above) {
  if (above.has(value)) return '[Circular]';
  if (value instanceof Error) return describeError(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof RegExp) return RegExp.prototype.toString.call(value);
  if (value instanceof Promise) return 'Promise {}';
  const name = className(value);
  if (depth > MAX_DEPTH) return Array.isArray(value) ? '[Array]' : `[${name || 'Object'}]`;
  above.add(value);
  const below = (part) => show(part, depth + 1, above);
  try {
    if (Array.isArray(value) || ArrayBuffer.isView(value)) return showList(value, name, below);
    if (value instanceof Map) {
      return brackets(`Map(${value.size})`, '{', take(value, ([key, part]) => `${below(key)} => ${below(part)}`), '}');
    }
    if (value instanceof Set) return brackets(`Set(${value.size})`, '{', take(value, below), '}');
    return brackets(name === 'Object' ? '' : name, '{', properties(value, below), '}');
  } finally {
    above.delete(value);
  }
}

function showList(list, name, below) {
  const label = name === 'Array' ? '' : `${name}(${list.length ?? list.byteLength})`;
  return brackets(label, '[', take(Array.prototype.slice.call(list, 0, MAX_ENTRIES + 1), below), ']');
}

function properties(value, below) {
  return take(Object.keys(value), (key) => {
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    const shown = descriptor !== undefined && 'value' in descriptor ? below(descriptor.value) : '[Getter]';
    return `${/^[\w$]+$/.test(key) ? key : quote(key)}: ${shown}`;
  });
}

function take(entries, each) {
  const shown = [];
  for (const entry of entries) {
    if (shown.length === MAX_ENTRIES) {
      shown.push('…');
      break;
    }
    shown.push(each(entry));
  }
  return shown;
}

function brackets(label, open, parts, close) {
  const inner = parts.length === 0 ? '' : open === '[' ? parts.join(', ') : ` ${parts.join(', ')} `;
  return `${label === '' ? '' : `${label} `}${open}${inner}${close}`;
}

function className(value) {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null) return '[Object: null prototype]';
  const constructor = ownValue(prototype, 'constructor');
  const name = typeof constructor === 'function' ? ownValue(constructor, 'name') : undefined;
  return typeof name === 'string' ? name : 'Object';
}

function ownValue(object, key) {
  return Object.getOwnPropertyDescriptor(object, key)?.value;
}
