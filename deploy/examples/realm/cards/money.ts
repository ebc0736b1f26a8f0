import { FieldDef, contains, field } from '@cardstack/base/card-api';
import NumberField from '@cardstack/base/number';
import StringField from '@cardstack/base/string';
import enumField from '@cardstack/base/enum';

export const Currency = enumField(StringField, {
  options: [
    { value: 'EUR', label: 'Euro' },
    { value: 'GBP', label: 'Pound sterling' },
    { value: 'USD', label: 'US dollar' },
  ],
});

export class Money extends FieldDef {
  static displayName = 'Money';
  @field amount = contains(NumberField, { description: 'in whole units of the currency, such as 12.5' });
  @field currency = contains(Currency);
}
