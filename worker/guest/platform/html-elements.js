// The element classes by tag, the registry of custom elements, and `createElement`.

import { DocumentFragment } from './dom-nodes.js';
import { Element, HTMLElement } from './dom-elements.js';
import { webInterface } from './install.js';

/** What a kind of element has beyond an HTML element, as fields a new instance gets. */
const kinds = {
  HTMLAnchorElement: [['a'], { href: '' }],
  HTMLAudioElement: [['audio'], {}, 'HTMLMediaElement'],
  HTMLBodyElement: [['body'], {}],
  HTMLButtonElement: [['button'], { type: 'submit', value: '', disabled: false }],
  HTMLCanvasElement: [['canvas'], { width: 300, height: 150, getContext: () => null, toDataURL: () => 'data:,' }],
  HTMLDetailsElement: [['details'], { open: false }],
  HTMLDialogElement: [['dialog'], { open: false, show() {}, showModal() {}, close() {} }],
  HTMLDivElement: [['div'], {}],
  HTMLFormElement: [['form'], { elements: [], submit() {}, reset() {} }],
  HTMLHeadElement: [['head'], {}],
  HTMLHeadingElement: [['h1', 'h2', 'h3', 'h4', 'h5', 'h6'], {}],
  HTMLHtmlElement: [['html'], {}],
  HTMLIFrameElement: [['iframe'], { src: '', contentWindow: null, contentDocument: null }],
  HTMLImageElement: [['img'], {
    src: '', alt: '', width: 0, height: 0, naturalWidth: 0, naturalHeight: 0, complete: false,
  }],
  HTMLInputElement: [['input'], {
    type: 'text', value: '', checked: false, disabled: false, files: null, select() {},
  }],
  HTMLLabelElement: [['label'], { htmlFor: '' }],
  HTMLLIElement: [['li'], {}],
  HTMLLinkElement: [['link'], { href: '', rel: '' }],
  HTMLOptionElement: [['option'], { value: '', selected: false }],
  HTMLParagraphElement: [['p'], {}],
  HTMLPreElement: [['pre'], {}],
  HTMLScriptElement: [['script'], { src: '', type: '' }],
  HTMLSelectElement: [['select'], { value: '', options: [], selectedIndex: -1 }],
  HTMLSlotElement: [['slot'], { assignedNodes: () => [], assignedElements: () => [] }],
  HTMLSpanElement: [['span'], {}],
  HTMLStyleElement: [['style'], { sheet: null }],
  HTMLTableElement: [['table'], {}],
  HTMLTemplateElement: [['template'], {}],
  HTMLTextAreaElement: [['textarea'], { value: '', select() {} }],
  HTMLUListElement: [['ul'], {}],
  HTMLOListElement: [['ol'], {}],
  HTMLVideoElement: [['video'], { videoWidth: 0, videoHeight: 0 }, 'HTMLMediaElement'],
};

function elementClass(name, Parent, fields) {
  const Kind = {
    [name]: class extends Parent {
      constructor(tag) {
        super(tag);
        for (const [field, value] of Object.entries(fields)) this[field] = Array.isArray(value) ? [] : value;
      }
    },
  }[name];
  return webInterface(Kind, name);
}

const HTMLMediaElement = elementClass('HTMLMediaElement', HTMLElement, {
  src: '', currentTime: 0, duration: Number.NaN, paused: true, ended: false, volume: 1, muted: false,
  play: async () => {}, pause() {}, load() {}, canPlayType: () => '',
});
const SVGElement = elementClass('SVGElement', Element, {});
const SVGGraphicsElement = elementClass('SVGGraphicsElement', SVGElement, {});

/** The globals that are classes of elements. */
export const htmlElementGlobals = {
  HTMLMediaElement,
  HTMLUnknownElement: elementClass('HTMLUnknownElement', HTMLElement, {}),
  SVGElement,
  SVGGraphicsElement,
  SVGSVGElement: elementClass('SVGSVGElement', SVGGraphicsElement, {}),
  SVGPathElement: elementClass('SVGPathElement', SVGGraphicsElement, {}),
  MathMLElement: elementClass('MathMLElement', Element, {}),
};

const classesByTag = new Map();
for (const [name, [tags, fields, parent]] of Object.entries(kinds)) {
  const Kind = elementClass(name, parent === undefined ? HTMLElement : HTMLMediaElement, fields);
  htmlElementGlobals[name] = Kind;
  for (const tag of tags) classesByTag.set(tag, Kind);
}

/** Custom elements: {Class, promise and resolve of `whenDefined`} by name. */
const definitions = new Map();
const definition = (name) => {
  if (!definitions.has(name)) definitions.set(name, { Class: undefined, ...Promise.withResolvers() });
  return definitions.get(name);
};

const CustomElementRegistry = webInterface(class CustomElementRegistry {
  define(name, Class) {
    const entry = definition(String(name));
    if (entry.Class !== undefined) {
      throw new DOMException(`the name '${name}' has already been used with this registry`, 'NotSupportedError');
    }
    entry.Class = Class;
    entry.resolve(Class);
  }

  get(name) {
    return definitions.get(String(name))?.Class;
  }

  getName(Class) {
    for (const [name, entry] of definitions) if (entry.Class === Class) return name;
    return null;
  }

  whenDefined(name) {
    return definition(String(name)).promise;
  }

  upgrade() {}
});

/** The globals of custom elements. */
export const customElementGlobals = { CustomElementRegistry, customElements: new CustomElementRegistry() };

/** `document.createElement`. */
export function createElement(tag) {
  const name = String(tag).toLowerCase();
  const Custom = definitions.get(name)?.Class;
  if (Custom !== undefined) return new Custom();
  const unknown = name.includes('-') ? HTMLElement : htmlElementGlobals.HTMLUnknownElement;
  const element = new (classesByTag.get(name) ?? unknown)(name);
  if (name === 'template') element.content = new DocumentFragment();
  return element;
}

/** `document.createElementNS`, for the namespaces browsers know. */
export function createElementNS(namespace, tag) {
  if (namespace === 'http://www.w3.org/2000/svg') return new SVGElement(tag);
  if (namespace === 'http://www.w3.org/1998/Math/MathML') return new htmlElementGlobals.MathMLElement(tag);
  return createElement(tag);
}

/** Constructors of elements that are called for themselves: `new Image()`. */
export const namedConstructors = {
  Image: function Image(width = 0, height = 0) {
    return Object.assign(createElement('img'), { width, height });
  },
  Audio: function Audio(src = '') {
    return Object.assign(createElement('audio'), { src });
  },
  Option: function Option(text = '', value = text) {
    return Object.assign(createElement('option'), { textContent: text, value });
  },
};
