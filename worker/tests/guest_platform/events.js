// Events, abort signals, message channels, and what is DOM enough to be extended at import.

const named = (call) => {
  try {
    return call();
  } catch (error) {
    return error.name;
  }
};

export const cases = [
  [
    'listeners in order, once, removed',
    () => {
      const target = new EventTarget();
      const seen = [];
      const removed = () => seen.push('removed');
      target.addEventListener('x', () => seen.push('a'));
      target.addEventListener('x', { handleEvent: () => seen.push('b') }, { once: true });
      target.addEventListener('x', removed);
      target.removeEventListener('x', removed);
      target.dispatchEvent(new Event('x'));
      target.dispatchEvent(new Event('x'));
      return seen;
    },
    ['a', 'b', 'a'],
  ],
  [
    'the same listener counts once',
    () => {
      const target = new EventTarget();
      let calls = 0;
      const listener = () => (calls += 1);
      target.addEventListener('x', listener);
      target.addEventListener('x', listener);
      target.dispatchEvent(new Event('x'));
      return calls;
    },
    1,
  ],
  [
    'preventDefault',
    () => {
      const target = new EventTarget();
      target.addEventListener('x', (event) => event.preventDefault());
      return [target.dispatchEvent(new Event('x')), target.dispatchEvent(new Event('x', { cancelable: true }))];
    },
    [true, false],
  ],
  [
    'stopImmediatePropagation',
    () => {
      const target = new EventTarget();
      const seen = [];
      target.addEventListener('x', (event) => event.stopImmediatePropagation());
      target.addEventListener('x', () => seen.push('late'));
      target.dispatchEvent(new Event('x'));
      return seen;
    },
    [],
  ],
  [
    'target and phase',
    () => {
      const target = new EventTarget();
      let seen;
      target.addEventListener(
        'x',
        (event) => (seen = [event.target === target, event.currentTarget === target, event.eventPhase]),
      );
      const event = new Event('x');
      target.dispatchEvent(event);
      return [seen, event.currentTarget, event.eventPhase];
    },
    [[true, true, 2], null, 0],
  ],
  [
    'a throwing listener does not stop the others',
    () => {
      const target = new EventTarget();
      let reached = false;
      target.addEventListener('x', () => {
        throw new Error('ignored');
      });
      target.addEventListener('x', () => (reached = true));
      target.dispatchEvent(new Event('x'));
      return reached;
    },
    true,
  ],
  [
    'custom events and extending',
    () => {
      class Opened extends CustomEvent {}
      const event = new Opened('open', { detail: { a: 1 } });
      return [event.type, event.detail, event instanceof Event, Object.prototype.toString.call(event)];
    },
    ['open', { a: 1 }, true, '[object CustomEvent]'],
  ],
  [
    'data of other events',
    () => {
      const event = new KeyboardEvent('keydown', { key: 'Enter', shiftKey: true });
      return [event.key, event.shiftKey, event.altKey, new MouseEvent('click').button];
    },
    ['Enter', true, false, 0],
  ],
  [
    'the global object is a target',
    () => {
      let seen = 0;
      window.addEventListener('resize', () => (seen += 1), { once: true });
      dispatchEvent(new Event('resize'));
      dispatchEvent(new Event('resize'));
      return seen;
    },
    1,
  ],
  [
    'events bubble to parents',
    () => {
      const parent = document.createElement('div');
      const child = parent.appendChild(document.createElement('span'));
      const seen = [];
      parent.addEventListener('click', (event) => seen.push(event.target === child));
      child.click();
      child.dispatchEvent(new Event('quiet'));
      return seen;
    },
    [true],
  ],

  [
    'abort',
    () => {
      const controller = new AbortController();
      const seen = [];
      controller.signal.onabort = () => seen.push('handler');
      controller.signal.addEventListener('abort', () => seen.push('listener'));
      controller.abort();
      controller.abort('again');
      return [seen, controller.signal.aborted, controller.signal.reason.name];
    },
    [['handler', 'listener'], true, 'AbortError'],
  ],
  [
    'abort reasons',
    () => [
      AbortSignal.abort('why').reason,
      named(() => AbortSignal.abort().throwIfAborted()),
      named(() => new AbortSignal()),
    ],
    ['why', 'AbortError', 'TypeError'],
  ],
  [
    'any',
    () => {
      const controller = new AbortController();
      const signal = AbortSignal.any([new AbortController().signal, controller.signal]);
      controller.abort(7);
      return [signal.aborted, signal.reason];
    },
    [true, 7],
  ],
  [
    'a signal ends a listener',
    () => {
      const controller = new AbortController();
      const target = new EventTarget();
      let seen = 0;
      target.addEventListener('x', () => (seen += 1), { signal: controller.signal });
      target.dispatchEvent(new Event('x'));
      controller.abort();
      target.dispatchEvent(new Event('x'));
      return seen;
    },
    1,
  ],
  [
    'a time limit',
    async () => {
      const signal = AbortSignal.timeout(1000);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return signal.reason.name;
    },
    'TimeoutError',
  ],
  [
    'message channels',
    async () => {
      const { port1, port2 } = new MessageChannel();
      const message = new Promise((resolve) => (port2.onmessage = (event) => resolve(event.data)));
      port1.postMessage({ a: 1 });
      return message;
    },
    { a: 1 },
  ],

  [
    'DOMException',
    () => {
      const error = new DOMException('gone', 'NotFoundError');
      return [error instanceof Error, error.code, error.message, DOMException.ABORT_ERR];
    },
    [true, 8, 'gone', 20],
  ],
  [
    'one global object',
    () => [window === globalThis, self === globalThis, document.defaultView === window, typeof window],
    [true, true, true, 'object'],
  ],
  [
    'globals do not show',
    () => Object.keys(globalThis).filter((name) => ['window', 'URL', 'fetch', 'document'].includes(name)),
    [],
  ],
  [
    'a custom element',
    () => {
      class Card extends HTMLElement {
        constructor() {
          super();
          this.attachShadow({ mode: 'open' });
        }
        connectedCallback() {}
      }
      customElements.define('x-card', Card);
      return [
        customElements.get('x-card') === Card,
        document.createElement('x-card') instanceof Card,
        named(() => customElements.define('x-card', class extends HTMLElement {})),
      ];
    },
    [true, true, 'NotSupportedError'],
  ],
  [
    'a style sheet at import',
    () => {
      const style = document.createElement('style');
      style.appendChild(document.createTextNode('a { color: red }'));
      document.head.appendChild(style);
      return [style.tagName, style.textContent, document.head.contains(style), style instanceof HTMLStyleElement];
    },
    ['STYLE', 'a { color: red }', true, true],
  ],
  [
    'the tree',
    () => {
      const list = document.createElement('ul');
      list.append(document.createElement('li'), 'text', new Comment('c'));
      const [item] = list.children;
      item.remove();
      list.prepend(item);
      return [
        list.childNodes.length,
        list.firstElementChild === item,
        item.nextSibling.data,
        item.parentElement === list,
      ];
    },
    [3, true, 'text', true],
  ],
  [
    'attributes, classes, styles',
    () => {
      const div = document.createElement('div');
      div.id = 'a';
      div.classList.add('x', 'y');
      div.classList.toggle('x');
      div.style.color = 'red';
      div.setAttribute('data-k', 1);
      return [
        div.getAttribute('id'),
        div.className,
        div.style.color,
        div.style.margin,
        div.getAttribute('data-k'),
        div.getBoundingClientRect().width,
      ];
    },
    ['a', 'y', 'red', '', '1', 0],
  ],
  [
    'nothing is found',
    () => [document.querySelector('*'), document.getElementById('a'), document.querySelectorAll('*').length],
    [null, null, 0],
  ],
  [
    'what a page is asked',
    () => [
      matchMedia('(prefers-color-scheme: dark)').matches,
      getComputedStyle(document.body).color,
      navigator.language,
      location.protocol,
      devicePixelRatio,
    ],
    [false, '', 'en-US', 'https:', 1],
  ],
  [
    'observers',
    () => {
      const observer = new ResizeObserver(() => {});
      observer.observe(document.body);
      observer.disconnect();
      return [typeof MutationObserver, typeof IntersectionObserver];
    },
    ['function', 'function'],
  ],
  [
    'storage',
    () => {
      localStorage.setItem('a', 1);
      localStorage.b = 'two';
      return [
        localStorage.getItem('a'),
        localStorage.b,
        localStorage.getItem('none'),
        localStorage.length,
        Object.keys(localStorage),
        sessionStorage.length,
      ];
    },
    ['1', 'two', null, 2, ['a', 'b'], 0],
  ],
  [
    'the process of the page',
    () => [typeof process, process.env.NODE_ENV ?? null, process.browser, global === globalThis],
    ['object', null, true, true],
  ],
];
