// `document`: a page with an empty head and body.

import { Element } from './dom-elements.js';
import { Comment, DocumentFragment, Node, ParentNode, Text } from './dom-nodes.js';
import { Event } from './events.js';
import { createElement, createElementNS } from './html-elements.js';
import { defineHidden, webInterface } from './install.js';
import { location } from './location.js';

const Document = webInterface(class Document extends ParentNode {
  title = '';
  cookie = '';
  designMode = 'off';
  adoptedStyleSheets = [];

  constructor() {
    super();
    const html = createElement('html');
    html.append(createElement('head'), createElement('body'));
    this.appendChild(html);
  }

  get nodeType() { return Node.DOCUMENT_NODE; }
  get nodeName() { return '#document'; }
  get documentElement() { return this.firstElementChild; }
  get head() { return this.documentElement.firstElementChild; }
  get body() { return this.documentElement.lastElementChild; }
  get activeElement() { return this.body; }
  get scrollingElement() { return this.documentElement; }
  get defaultView() { return globalThis; }
  get location() { return location; }
  get URL() { return location.href; }
  get documentURI() { return location.href; }
  get baseURI() { return location.href; }
  get domain() { return location.hostname; }
  get referrer() { return ''; }
  get characterSet() { return 'UTF-8'; }
  get contentType() { return 'text/html'; }
  get compatMode() { return 'CSS1Compat'; }
  get readyState() { return 'complete'; }
  get visibilityState() { return 'visible'; }
  get hidden() { return false; }
  get fullscreenElement() { return null; }
  get currentScript() { return null; }
  get styleSheets() { return []; }
  get fonts() { return fonts; }
  get implementation() { return { createHTMLDocument: () => new Document(), hasFeature: () => true }; }

  createElement(tag) { return createElement(tag); }
  createElementNS(namespace, tag) { return createElementNS(namespace, tag); }
  createTextNode(text) { return new Text(text); }
  createComment(text) { return new Comment(text); }
  createDocumentFragment() { return new DocumentFragment(); }
  createEvent() { return new Event(''); }
  createRange() { return new Range(); }
  createTreeWalker() { return { nextNode: () => null, currentNode: null }; }
  importNode(node, deep) { return node.cloneNode(deep); }
  adoptNode(node) { return node; }
  getElementById() { return null; }
  elementFromPoint() { return null; }
  elementsFromPoint() { return []; }
  getSelection() { return null; }
  hasFocus() { return false; }
  execCommand() { return false; }
});

const fonts = {
  ready: Promise.resolve(), status: 'loaded', size: 0, check: () => true, load: async () => [], add() {},
};

const Range = webInterface(class Range {
  collapsed = true;
  getBoundingClientRect() { return new Element().getBoundingClientRect(); }
  getClientRects() { return []; }
  createContextualFragment() { return new DocumentFragment(); }
});
for (const action of [
  'setStart', 'setEnd', 'selectNode', 'selectNodeContents', 'collapse', 'insertNode', 'deleteContents', 'detach',
]) {
  defineHidden(Range.prototype, { [action]() {} });
}

const DOMParser = webInterface(class DOMParser {
  /** A document without content: nothing here parses markup. */
  parseFromString() { return new Document(); }
});

const XMLSerializer = webInterface(class XMLSerializer {
  serializeToString(node) { return node.outerHTML ?? node.textContent ?? ''; }
});

const NodeFilter = {
  FILTER_ACCEPT: 1, FILTER_REJECT: 2, FILTER_SKIP: 3, SHOW_ALL: 0xffffffff, SHOW_ELEMENT: 1, SHOW_TEXT: 4,
  SHOW_COMMENT: 128,
};

/** The globals of the page. */
export const documentGlobals = { document: new Document(), Document, Range, DOMParser, XMLSerializer, NodeFilter };
