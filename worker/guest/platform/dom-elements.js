// Elements without a page: attributes, classes and styles are kept, every box is empty, nothing is parsed or matched.

import { DocumentFragment, ParentNode } from './dom-nodes.js';
import { Event } from './events.js';
import { defineHidden, webInterface } from './install.js';

/** An empty rectangle at the origin. */
export const DOMRect = webInterface(class DOMRect {
  constructor(x = 0, y = 0, width = 0, height = 0) {
    Object.assign(this, { x, y, width, height, top: y, left: x, right: x + width, bottom: y + height });
  }

  static fromRect({ x, y, width, height } = {}) {
    return new DOMRect(x, y, width, height);
  }

  toJSON() {
    return { ...this };
  }
});

const CSSStyleDeclaration = webInterface(class CSSStyleDeclaration {});
defineHidden(CSSStyleDeclaration.prototype, {
  cssText: '',
  length: 0,
  setProperty(name, value) { this[name] = value; },
  getPropertyValue(name) { return String(this[name] ?? ''); },
  getPropertyPriority: () => '',
  removeProperty(name) {
    const value = this.getPropertyValue(name);
    delete this[name];
    return value;
  },
});

/** A style that keeps what is set; a property that was not set is the empty string. */
export function emptyStyle() {
  return new Proxy(new CSSStyleDeclaration(), {
    get: (style, name) => (name in style || typeof name === 'symbol' ? Reflect.get(style, name) : ''),
  });
}

const DOMTokenList = webInterface(class DOMTokenList {
  #element;

  constructor(element) {
    this.#element = element;
  }

  get value() { return this.#element.className; }
  get length() { return this.#tokens().length; }
  item(index) { return this.#tokens()[index] ?? null; }
  contains(token) { return this.#tokens().includes(String(token)); }
  add(...tokens) { this.#write([...this.#tokens(), ...tokens]); }
  remove(...tokens) { this.#write(this.#tokens().filter((kept) => !tokens.includes(kept))); }
  toggle(token, force = !this.contains(token)) {
    if (force) this.add(token);
    else this.remove(token);
    return Boolean(force);
  }
  replace(old, token) {
    const had = this.contains(old);
    this.#write(this.#tokens().map((kept) => (kept === old ? token : kept)));
    return had;
  }
  forEach(callback) { this.#tokens().forEach(callback); }
  [Symbol.iterator]() { return this.#tokens().values(); }
  toString() { return this.value; }

  #tokens() { return this.#element.className.split(/\s+/).filter((token) => token !== ''); }
  #write(tokens) { this.#element.className = [...new Set(tokens)].join(' '); }
});

export const Element = webInterface(class Element extends ParentNode {
  #tag;
  #attributes = new Map();
  #style = emptyStyle();
  #markup = '';
  #shadow = null;
  dataset = {};
  scrollTop = 0;
  scrollLeft = 0;

  constructor(tag = 'unknown') {
    super();
    this.#tag = String(tag);
  }

  get tagName() { return this.#tag.toUpperCase(); }
  get nodeName() { return this.tagName; }
  get localName() { return this.#tag.toLowerCase(); }
  get namespaceURI() { return 'http://www.w3.org/1999/xhtml'; }
  get style() { return this.#style; }
  set style(text) { this.#style.cssText = String(text); }
  get classList() { return new DOMTokenList(this); }
  get shadowRoot() { return this.#shadow; }
  get innerHTML() { return this.#markup; }
  set innerHTML(markup) {
    this.textContent = '';
    this.#markup = String(markup);
  }
  get outerHTML() { return `<${this.localName}>${this.#markup}</${this.localName}>`; }
  get attributes() { return Array.from(this.#attributes, ([name, value]) => ({ name, value })); }

  getAttribute(name) { return this.#attributes.get(String(name)) ?? null; }
  setAttribute(name, value) { this.#attributes.set(String(name), String(value)); }
  removeAttribute(name) { this.#attributes.delete(String(name)); }
  hasAttribute(name) { return this.#attributes.has(String(name)); }
  getAttributeNames() { return [...this.#attributes.keys()]; }
  toggleAttribute(name, force = !this.hasAttribute(name)) {
    if (force) this.setAttribute(name, '');
    else this.removeAttribute(name);
    return Boolean(force);
  }

  matches() { return false; }
  closest() { return null; }
  insertAdjacentElement(_position, element) { return element; }
  insertAdjacentHTML() {}
  insertAdjacentText() {}
  getBoundingClientRect() { return new DOMRect(); }
  getClientRects() { return []; }
  getAnimations() { return []; }
  animate() { return { finished: Promise.resolve(), play() {}, pause() {}, cancel() {}, finish() {} }; }
  attachShadow() {
    this.#shadow = Object.assign(new ShadowRoot(), { host: this });
    return this.#shadow;
  }
  makeTwin() {
    const twin = super.makeTwin();
    twin.#tag = this.#tag;
    twin.#attributes = new Map(this.#attributes);
    twin.#markup = this.#markup;
    return twin;
  }

  static {
    for (const [property, attribute] of [['id', 'id'], ['className', 'class'], ['slot', 'slot'], ['part', 'part']]) {
      Object.defineProperty(this.prototype, property, {
        get() { return this.getAttribute(attribute) ?? ''; },
        set(value) { this.setAttribute(attribute, value); },
        configurable: true,
      });
    }
    for (const size of ['clientWidth', 'clientHeight', 'clientTop', 'clientLeft', 'scrollWidth', 'scrollHeight']) {
      Object.defineProperty(this.prototype, size, { get: () => 0, configurable: true });
    }
    for (const action of [
      'scroll', 'scrollTo', 'scrollBy', 'scrollIntoView', 'setPointerCapture', 'releasePointerCapture',
      'hasPointerCapture', 'requestFullscreen',
    ]) {
      defineHidden(this.prototype, { [action]() {} });
    }
  }
});

export const ShadowRoot = webInterface(class ShadowRoot extends DocumentFragment {
  adoptedStyleSheets = [];
});

export const HTMLElement = webInterface(class HTMLElement extends Element {
  hidden = false;
  tabIndex = -1;
  offsetWidth = 0;
  offsetHeight = 0;
  offsetTop = 0;
  offsetLeft = 0;
  offsetParent = null;
  get innerText() { return this.textContent; }
  set innerText(text) { this.textContent = text; }
  click() { this.dispatchEvent(new Event('click', { bubbles: true, cancelable: true })); }
  focus() {}
  blur() {}
});

/** The globals of elements. */
export const elementGlobals = { Element, HTMLElement, ShadowRoot, DOMRect, DOMTokenList, CSSStyleDeclaration };
