// The primitive field classes of `@cardstack/base`: those that have a JSON Schema of their own, one module each.

import { FieldDef, NumberField as ApiNumberField } from './card-api.js';
import { emptyValue, fieldSerializer, primitive, queryableValue } from './symbols.js';

/** The field of `@cardstack/base/number`. */
export class NumberField extends ApiNumberField {
  static displayName = 'Number Field';
}

export class BigIntegerField extends FieldDef {
  static displayName = 'BigInteger';
  static [primitive] = undefined;
  static [fieldSerializer] = 'big-integer';
}

export class BooleanField extends FieldDef {
  static displayName = 'Boolean';
  static [primitive] = undefined;
  static [fieldSerializer] = 'boolean';
  static [emptyValue] = false;
}

export class DateField extends FieldDef {
  static displayName = 'Date';
  static [primitive] = undefined;
  static [fieldSerializer] = 'date';
}

export class DateTimeField extends FieldDef {
  static displayName = 'DateTime';
  static [primitive] = undefined;
  static [fieldSerializer] = 'datetime';
}

export class CodeRefField extends FieldDef {
  static displayName = 'CodeRef';
  static [primitive] = undefined;
  static [fieldSerializer] = 'code-ref';
}

export class AbsoluteCodeRefField extends CodeRefField {
  static [fieldSerializer] = 'absolute-code-ref';
}

export class JsonField extends FieldDef {
  static displayName = 'JSON';
  static [primitive] = undefined;
  static [queryableValue]() {
    return null;
  }
}
