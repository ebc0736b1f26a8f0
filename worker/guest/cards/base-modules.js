// The modules of `@cardstack/base` that the guest has itself. `core` always stands in for the package's own files;
// `fallback` only where no `@cardstack/base/` package is mapped, so that a realm of one's own can use the common
// fields without it.

import * as cardApi from './card-api.js';
import * as enumModule from './enum-field.js';
import { contains, field } from './field.js';
import * as fields from './primitives.js';
import { isSavedInstance, primitive } from './symbols.js';

const { CardDef, FieldDef, MarkdownField, StringField, TextAreaField, deserializeForUI, serializeForUI } = cardApi;
const { NumberField, JsonField } = fields;

export const core = {
  'card-api': cardApi,
  string: { default: StringField },
  number: { default: NumberField, deserializeForUI, serializeForUI },
  'big-integer': { default: fields.BigIntegerField },
  boolean: { default: fields.BooleanField },
  date: { default: fields.DateField },
  datetime: { default: fields.DateTimeField },
  'code-ref': { default: fields.CodeRefField, AbsoluteCodeRefField: fields.AbsoluteCodeRefField },
  'json-field': { JsonField },
};

const named = (name, Base, fieldsOf = {}) => {
  const Class = { [name]: class extends Base {} }[name];
  for (const [key, declared] of Object.entries(fieldsOf)) {
    Object.defineProperty(Class.prototype, key, field(Class.prototype, key, { initializer: () => declared }));
  }
  return Class;
};

const unmapped = (name) => {
  const Class = named(name, FieldDef);
  Class[primitive] = undefined;
  return Class;
};

/** The query field, where none is loaded from a mapped package. */
export const queryFieldOfGuest = unmapped('QueryField');

const CountryField = named('CountryField', FieldDef, { name: contains(StringField), code: contains(StringField) });

export const fallback = {
  '-private': { isSavedInstance },
  'text-area': { default: TextAreaField },
  markdown: { default: MarkdownField },
  enum: { ...enumModule, default: enumModule.enumField },
  email: { default: named('EmailField', StringField) },
  url: { default: named('UrlField', StringField) },
  color: { default: named('ColorField', StringField) },
  realm: { default: named('RealmField', StringField) },
  percentage: { default: named('PercentageField', NumberField) },
  'phone-number': { default: unmapped('PhoneNumberField') },
  'ethereum-address': { default: unmapped('EthereumAddressField') },
  coordinate: { default: named('CoordinateField', FieldDef, { x: contains(NumberField), y: contains(NumberField) }) },
  address: {
    default: named('AddressField', FieldDef, {
      addressLine1: contains(StringField),
      addressLine2: contains(StringField),
      city: contains(StringField),
      state: contains(StringField),
      postalCode: contains(StringField),
      country: contains(CountryField),
      poBoxNumber: contains(StringField),
    }),
  },
  'date-range-field': {
    default: named('DateRangeField', FieldDef, { start: contains(fields.DateField), end: contains(fields.DateField) }),
  },
  'base64-image': {
    default: named('Base64ImageField', FieldDef, {
      altText: contains(StringField),
      size: contains(unmapped('ImageSizeField')),
      height: contains(NumberField),
      width: contains(NumberField),
      base64: contains(StringField),
    }),
  },
  'file-api': { ...cardApi, default: cardApi.FileDef },
  'image-file-def': { default: cardApi.ImageDef, ImageDef: cardApi.ImageDef },
  'commands/search-card-result': {
    JsonField,
    QueryField: queryFieldOfGuest,
    SearchCardsByQueryInput: named('SearchCardsByQueryInput', CardDef, { query: contains(queryFieldOfGuest) }),
  },
};
