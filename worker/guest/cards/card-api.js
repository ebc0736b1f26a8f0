// `@cardstack/base/card-api` as far as defining and describing classes needs it. Whatever renders is inert.

import { inert } from '../inert.js';
import { BaseDef } from './base-def.js';
import { contains, containsMany, field, getFieldDescription, linksTo, linksToMany, valuesOf } from './field.js';
import { getFields } from './field-lookup.js';
import { isCardInstance, isFileDef } from './kinds.js';
import * as symbols from './symbols.js';

const { isSavedInstance, localId, primitive, realmContext, realmURL, useIndexBasedKey } = symbols;

export const {
  deserialize, emptyValue, fieldDecorator, formatQuery, meta, queryableValue, realmInfo, relativeTo, serialize,
} = symbols;
export { BaseDef, contains, containsMany, field, getFieldDescription, getFields, isFileDef, linksTo, linksToMany };
export { localId, primitive, realmURL, useIndexBasedKey };
export const isField = symbols.isField;
export const formats = ['isolated', 'embedded', 'fitted', 'atom', 'edit', 'head', 'markdown'];
export const BULK_GENERATED_ITEM_COUNT = 3;

/** Base of the templates that cards carry; only ever extended. */
export class Component {
  constructor(owner, args) {
    this.args = args ?? {};
  }
}

// A class's formats hold components that nothing here renders; subclasses may read or wrap them.
const withFormats = (Class) => {
  for (const format of formats) Class[format] ??= inert(format);
  return Class;
};

export class FieldDef extends BaseDef {
  static isFieldDef = true;
  static displayName = 'Field';
  static icon = inert('FieldIcon');
  static configuration = undefined;
  get [realmURL]() {
    return this[realmContext] && new URL(this[realmContext]);
  }
}
withFormats(FieldDef);

export class ReadOnlyField extends FieldDef {
  static [primitive] = undefined;
  static [useIndexBasedKey] = undefined;
}

export class StringField extends FieldDef {
  static displayName = 'String';
  static [primitive] = undefined;
  static [useIndexBasedKey] = undefined;
}

export class MaybeBase64Field extends StringField {}

export class TextAreaField extends StringField {
  static displayName = 'TextArea';
}

export class CSSField extends TextAreaField {
  static displayName = 'CSS Field';
}

export class MarkdownField extends StringField {
  static displayName = 'Markdown';
}

export class CssImportField extends StringField {
  static displayName = 'CSS Import';
}

/** Not the field of `@cardstack/base/number`, which extends it: only that one has a schema. */
export class NumberField extends FieldDef {
  static displayName = 'Number';
  static [primitive] = undefined;
  static [symbols.fieldSerializer] = 'number';
  static [useIndexBasedKey] = undefined;
}

export function deserializeForUI(value) {
  const number = Number(value);
  return value == null || value === '' || !Number.isFinite(number) ? null : number;
}

export function serializeForUI(value) {
  return value == null ? undefined : String(value);
}

// What declarations with `@field name = …` come to, for the classes of this file.
function declare(Class, fields) {
  for (const [name, declared] of Object.entries(fields)) {
    Object.defineProperty(Class.prototype, name, field(Class.prototype, name, { initializer: () => declared }));
  }
}

// The id is set while an instance is made, before anything may observe it.
function assignId(Class) {
  const inherited = Class.assignInitialFieldValue;
  Class.assignInitialFieldValue = function (instance, name, value) {
    if (name === 'id') valuesOf(instance).set('id', value);
    else inherited.call(this, instance, name, value);
  };
}

export class FileContentMismatchError extends Error {
  name = 'FileContentMismatchError';
}

export class FileDef extends BaseDef {
  static displayName = 'File';
  static isFileDef = true;
  static icon = inert('FileIcon');
  [isSavedInstance] = true;
  static extractAttributes = inert('extractAttributes');
  get [realmURL]() {
    return undefined;
  }
}
withFormats(FileDef);
assignId(FileDef);
declare(FileDef, {
  id: contains(ReadOnlyField),
  sourceUrl: contains(StringField),
  url: contains(StringField),
  name: contains(StringField),
  contentType: contains(StringField),
  contentHash: contains(StringField),
  contentSize: contains(NumberField),
});

export class ImageDef extends FileDef {
  static displayName = 'Image';
  static acceptTypes = 'image/*';
}
declare(ImageDef, { width: contains(NumberField), height: contains(NumberField) });

export function createFileDef(attributes) {
  return new FileDef(attributes);
}

export class CardInfoField extends FieldDef {
  static displayName = 'Card Info';
}
declare(CardInfoField, {
  name: contains(StringField),
  summary: contains(StringField),
  cardThumbnail: linksTo(() => ImageDef),
  cardThumbnailURL: contains(MaybeBase64Field),
  theme: linksTo(() => Theme),
  notes: contains(MarkdownField),
});

export class CardDef extends BaseDef {
  static displayName = 'Card';
  static isCardDef = true;
  static icon = inert('CardIcon');
  static prefersWideFormat = false;
  static headerColor = null;
  [localId] = crypto.randomUUID();
  [isSavedInstance] = false;
  static get hasCustomEditTemplate() {
    return this.edit !== CardDef.edit;
  }
  static get hasCustomIsolatedTemplate() {
    return this.isolated !== CardDef.isolated;
  }
  get [realmURL]() {
    return undefined;
  }
}
withFormats(CardDef);
assignId(CardDef);
declare(CardDef, {
  id: contains(ReadOnlyField),
  cardInfo: contains(CardInfoField),
  cardTitle: contains(StringField, {
    computeVia() {
      const { name } = this.cardInfo;
      return name?.trim() ? name : `Untitled ${this.constructor.displayName}`;
    },
  }),
  cardDescription: contains(StringField, {
    computeVia() {
      return this.cardInfo.summary;
    },
  }),
  cardTheme: linksTo(() => Theme, {
    computeVia() {
      return this.cardInfo.theme;
    },
  }),
  cardThumbnailURL: contains(MaybeBase64Field, {
    computeVia() {
      return this.cardInfo.cardThumbnailURL;
    },
  }),
});

export class Theme extends CardDef {
  static displayName = 'Theme';
}
declare(Theme, {
  cssVariables: contains(CSSField, {
    description:
      'CSS variable definitions that build on shadcn variables (typically for :root and .dark selectors) injected into the CardContainer.',
  }),
  cssImports: containsMany(CssImportField, {
    description: 'CSS links (e.g. Google Fonts) imported via the CardContainer.',
  }),
});

export const isCard = isCardInstance;
export const instanceOf = (instance, Class) => instance instanceof Class;
export const isSaved = (instance) => Boolean(instance[isSavedInstance]);
export const getDataBucket = valuesOf;
export const setId = (instance, id) => valuesOf(instance).set('id', id);
