import { Tool } from '@cardstack/runtime-common';
import { CardDef, StringField, contains, containsMany, field, linksTo, linksToMany } from '@cardstack/base/card-api';
import DateField from '@cardstack/base/date';
import enumField from '@cardstack/base/enum';

import { Customer } from '../../cards/customer';
import { Money } from '../../cards/money';

const Means = enumField(StringField, { options: ['train', 'car', 'plane', 'ferry'] });

class Trip extends CardDef {
  @field stops = containsMany(StringField, { description: 'towns, in order, without the way home' });
  @field leaves = contains(DateField);
  @field returns = contains(DateField);
  @field means = containsMany(Means);
  @field budget = contains(Money, { description: 'the most it may cost' });
  @field visits = linksTo(() => Customer, { description: 'whom the trip is for' });
  @field companions = linksToMany(() => CardDef, { description: 'who comes along' });
}

export class RequestTrip extends Tool<typeof Trip> {
  static actionVerb = 'Request';
  description = 'Asks for a business trip to be approved';
  requireInputFields = ['stops', 'leaves', 'returns'];

  async getInputType() {
    return Trip;
  }

  protected async run(input: Trip): Promise<undefined> {
    console.log(`would ask for a trip to ${input.stops.join(', ')}`);
  }
}
