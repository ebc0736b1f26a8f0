import { CardDef, contains, field } from '@cardstack/base/card-api';
import AddressField from '@cardstack/base/address';
import EmailField from '@cardstack/base/email';
import StringField from '@cardstack/base/string';

export class Customer extends CardDef {
  static displayName = 'Customer';
  @field name = contains(StringField);
  @field email = contains(EmailField);
  @field address = contains(AddressField);
}
