import { Tool } from '@cardstack/runtime-common';

import { Invoice } from '../../cards/invoice';

export default class CreateInvoice extends Tool<typeof Invoice> {
  static actionVerb = 'Create';
  description = 'Creates an invoice for a customer';
  requireInputFields = ['number', 'items', 'customer'];
  ignoreInputFields = ['cardInfo', 'paid'];

  async getInputType() {
    return Invoice;
  }

  protected async run(input: Invoice): Promise<undefined> {
    console.log(`would create invoice ${input.number}`);
  }
}
