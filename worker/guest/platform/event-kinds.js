// The event classes that carry data. All work alike: what the constructor's second argument says is readable under
// the same name, and what it leaves out has the standard's default.

import { Event, EventTarget } from './events.js';
import { webInterface } from './install.js';

/** A class of events with the given fields and their defaults. */
function eventClass(name, Parent, defaults) {
  const Kind = {
    [name]: class extends Parent {
      constructor(type, init = {}) {
        super(type, init);
        const given = init ?? {};
        for (const field of Object.keys(defaults)) {
          Object.defineProperty(this, field, {
            value: given[field] === undefined ? defaults[field] : given[field],
            enumerable: true,
            configurable: true,
          });
        }
      }
    },
  }[name];
  return webInterface(Kind, name);
}

const modifiers = { ctrlKey: false, shiftKey: false, altKey: false, metaKey: false };
const position = {
  screenX: 0, screenY: 0, clientX: 0, clientY: 0, pageX: 0, pageY: 0, offsetX: 0, offsetY: 0, movementX: 0,
  movementY: 0,
};

export const CustomEvent = eventClass('CustomEvent', Event, { detail: null });
export const MessageEvent = eventClass('MessageEvent', Event, {
  data: null, origin: '', lastEventId: '', source: null, ports: [],
});
const UIEvent = eventClass('UIEvent', Event, { view: null, detail: 0 });
const MouseEvent = eventClass('MouseEvent', UIEvent, {
  ...modifiers, ...position, button: 0, buttons: 0, relatedTarget: null,
});

/** The globals that are classes of events, and `EventTarget`. */
export const eventGlobals = {
  Event,
  EventTarget,
  CustomEvent,
  MessageEvent,
  UIEvent,
  MouseEvent,
  PointerEvent: eventClass('PointerEvent', MouseEvent, {
    pointerId: 0, width: 1, height: 1, pressure: 0, tiltX: 0, tiltY: 0, pointerType: '', isPrimary: false,
  }),
  WheelEvent: eventClass('WheelEvent', MouseEvent, { deltaX: 0, deltaY: 0, deltaZ: 0, deltaMode: 0 }),
  DragEvent: eventClass('DragEvent', MouseEvent, { dataTransfer: null }),
  KeyboardEvent: eventClass('KeyboardEvent', UIEvent, {
    ...modifiers, key: '', code: '', location: 0, repeat: false, isComposing: false, keyCode: 0, charCode: 0, which: 0,
  }),
  InputEvent: eventClass('InputEvent', UIEvent, {
    data: null, inputType: '', isComposing: false, dataTransfer: null,
  }),
  CompositionEvent: eventClass('CompositionEvent', UIEvent, { data: '' }),
  FocusEvent: eventClass('FocusEvent', UIEvent, { relatedTarget: null }),
  TouchEvent: eventClass('TouchEvent', UIEvent, { ...modifiers, touches: [], targetTouches: [], changedTouches: [] }),
  ClipboardEvent: eventClass('ClipboardEvent', Event, { clipboardData: null }),
  SubmitEvent: eventClass('SubmitEvent', Event, { submitter: null }),
  ProgressEvent: eventClass('ProgressEvent', Event, { lengthComputable: false, loaded: 0, total: 0 }),
  ErrorEvent: eventClass('ErrorEvent', Event, { message: '', filename: '', lineno: 0, colno: 0, error: null }),
  PromiseRejectionEvent: eventClass('PromiseRejectionEvent', Event, { promise: undefined, reason: undefined }),
  CloseEvent: eventClass('CloseEvent', Event, { wasClean: false, code: 0, reason: '' }),
  PopStateEvent: eventClass('PopStateEvent', Event, { state: null }),
  HashChangeEvent: eventClass('HashChangeEvent', Event, { oldURL: '', newURL: '' }),
  StorageEvent: eventClass('StorageEvent', Event, {
    key: null, oldValue: null, newValue: null, url: '', storageArea: null,
  }),
  AnimationEvent: eventClass('AnimationEvent', Event, { animationName: '', elapsedTime: 0, pseudoElement: '' }),
  TransitionEvent: eventClass('TransitionEvent', Event, { propertyName: '', elapsedTime: 0, pseudoElement: '' }),
};
