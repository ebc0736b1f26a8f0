import { Tool } from '@cardstack/runtime-common';
import { CardDef, StringField, contains, field, linksTo } from '@cardstack/base/card-api';
import enumField from '@cardstack/base/enum';

import { Invoice } from '../../cards/invoice';

const Tone = enumField(StringField, { options: ['friendly', 'formal'] });

class Reminder extends CardDef {
  @field invoice = linksTo(() => Invoice);
  @field tone = contains(Tone, { description: 'friendly for the first reminder' });
  @field message = contains(StringField, { description: 'what to say beside the standard text' });
}

export default class SendReminder extends Tool<typeof Reminder> {
  static actionVerb = 'Send';
  description = 'Reminds a customer of an invoice that is overdue';
  requireInputFields = ['invoice', 'tone'];

  async getInputType() {
    return Reminder;
  }

  protected async run(input: Reminder): Promise<undefined> {
    console.log(`would remind of ${input.invoice.number}`);
  }
}
