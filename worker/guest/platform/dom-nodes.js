// A tree of nodes, nothing more: what a module may build or extend at import (a style sheet put into the head, a
// custom element's class). Nothing is parsed, laid out or found by a selector.

import { EventTarget } from './events.js';
import { defineHidden, webInterface } from './install.js';

/** `Node` with its tree. */
export const Node = webInterface(class Node extends EventTarget {
  #children = [];
  #parent = null;
  #text = '';

  static {
    const kinds = {
      ELEMENT_NODE: 1, TEXT_NODE: 3, CDATA_SECTION_NODE: 4, COMMENT_NODE: 8, DOCUMENT_NODE: 9,
      DOCUMENT_TYPE_NODE: 10, DOCUMENT_FRAGMENT_NODE: 11,
    };
    defineHidden(this, kinds);
    defineHidden(this.prototype, kinds);
  }

  get nodeType() { return Node.ELEMENT_NODE; }
  get nodeName() { return '#node'; }
  get nodeValue() { return null; }
  get childNodes() { return [...this.#children]; }
  get parentNode() { return this.#parent; }
  get parentElement() { return this.#parent?.nodeType === Node.ELEMENT_NODE ? this.#parent : null; }
  get firstChild() { return this.#children[0] ?? null; }
  get lastChild() { return this.#children.at(-1) ?? null; }
  get nextSibling() { return this.#sibling(1); }
  get previousSibling() { return this.#sibling(-1); }
  get ownerDocument() { return globalThis.document ?? null; }
  get isConnected() { return false; }
  get textContent() {
    return this.#children.length > 0 ? this.#children.map((child) => child.textContent).join('') : this.#text;
  }
  set textContent(text) {
    for (const child of this.#children) child.#parent = null;
    this.#children = [];
    this.#text = text === null ? '' : String(text);
  }

  appendChild(child) {
    return this.insertBefore(child, null);
  }

  insertBefore(child, before) {
    if (!(child instanceof Node)) throw new TypeError('what is inserted must be a Node');
    if (child.contains(this)) throw new DOMException('a node cannot contain itself', 'HierarchyRequestError');
    const added = child instanceof DocumentFragment ? child.childNodes : [child];
    for (const node of added) {
      node.#parent?.removeChild(node);
      node.#parent = this;
    }
    const place = before === null || before === undefined ? -1 : this.#children.indexOf(before);
    this.#children.splice(place === -1 ? this.#children.length : place, 0, ...added);
    return child;
  }

  removeChild(child) {
    const place = this.#children.indexOf(child);
    if (place === -1) throw new DOMException('the node is not a child of this node', 'NotFoundError');
    this.#children.splice(place, 1);
    child.#parent = null;
    return child;
  }

  replaceChild(child, old) {
    this.insertBefore(child, old);
    return this.removeChild(old);
  }

  append(...parts) {
    for (const part of parts) this.appendChild(asNode(part));
  }

  prepend(...parts) {
    const first = this.firstChild;
    for (const part of parts) this.insertBefore(asNode(part), first);
  }

  replaceChildren(...parts) {
    this.textContent = '';
    this.append(...parts);
  }

  before(...parts) {
    for (const part of parts) this.#parent?.insertBefore(asNode(part), this);
  }

  after(...parts) {
    const next = this.nextSibling;
    for (const part of parts) this.#parent?.insertBefore(asNode(part), next);
  }

  remove() {
    this.#parent?.removeChild(this);
  }

  contains(node) {
    for (let inner = node; inner; inner = inner.parentNode) if (inner === this) return true;
    return false;
  }

  hasChildNodes() {
    return this.#children.length > 0;
  }

  getRootNode() {
    return this.#parent?.getRootNode() ?? this;
  }

  cloneNode(deep = false) {
    const copy = this.makeTwin();
    copy.#text = this.#text;
    if (deep) copy.append(...this.#children.map((child) => child.cloneNode(true)));
    return copy;
  }

  /** An empty node of the same kind. */
  makeTwin() {
    return new this.constructor();
  }

  normalize() {}

  #sibling(distance) {
    const siblings = this.#parent?.#children ?? [];
    const place = siblings.indexOf(this);
    return place === -1 ? null : (siblings[place + distance] ?? null);
  }
});

const asNode = (part) => (part instanceof Node ? part : new Text(part));

const CharacterData = webInterface(class CharacterData extends Node {
  constructor(text = '') {
    super();
    this.textContent = text;
  }

  get data() { return this.textContent; }
  set data(text) { this.textContent = text; }
  get nodeValue() { return this.textContent; }
  get length() { return this.textContent.length; }
});

export const Text = webInterface(class Text extends CharacterData {
  get nodeType() { return Node.TEXT_NODE; }
  get nodeName() { return '#text'; }
});

export const Comment = webInterface(class Comment extends CharacterData {
  get nodeType() { return Node.COMMENT_NODE; }
  get nodeName() { return '#comment'; }
});

/** What all that holds elements can be asked; no selector matches anything. */
export class ParentNode extends Node {
  get children() { return this.childNodes.filter((child) => child.nodeType === Node.ELEMENT_NODE); }
  get childElementCount() { return this.children.length; }
  get firstElementChild() { return this.children[0] ?? null; }
  get lastElementChild() { return this.children.at(-1) ?? null; }
  querySelector() { return null; }
  querySelectorAll() { return []; }
  getElementsByTagName() { return []; }
  getElementsByClassName() { return []; }
}

export const DocumentFragment = webInterface(class DocumentFragment extends ParentNode {
  get nodeType() { return Node.DOCUMENT_FRAGMENT_NODE; }
  get nodeName() { return '#document-fragment'; }
  getElementById() { return null; }
});

/** The globals of the tree. */
export const nodeGlobals = { Node, CharacterData, Text, Comment, DocumentFragment };
