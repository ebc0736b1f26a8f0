import { Tool } from '@cardstack/runtime-common';
import { CardDef, StringField, contains, field } from '@cardstack/base/card-api';
import enumField from '@cardstack/base/enum';

const Unit = enumField(StringField, { options: ['words', 'characters'] });

/** What the tool takes: each field is a property of its schema. */
class CountInput extends CardDef {
  @field text = contains(StringField, { description: 'The text to count' });
  @field unit = contains(Unit, { description: 'What to count; words if not given' });
}

export class CountWords extends Tool<typeof CountInput> {
  description = 'Counts the words or characters of a text';
  requireInputFields = ['text'];

  async getInputType() {
    return CountInput;
  }

  protected async run({ text, unit }: CountInput): Promise<undefined> {
    console.log(unit === 'characters' ? [...text].length : text.split(/\s+/).filter(Boolean).length);
  }
}
