import { Tool } from '@cardstack/runtime-common';
import { CardDef, FieldDef, StringField, contains, containsMany, field } from '@cardstack/base/card-api';
import BooleanField from '@cardstack/base/boolean';
import DateField from '@cardstack/base/date';
import enumField from '@cardstack/base/enum';

const Kind = enumField(StringField, { options: ['breaking', 'feature', 'fix'] });

class Change extends FieldDef {
  @field kind = contains(Kind);
  @field summary = contains(StringField, { description: 'one line, without a full stop' });
  @field authors = containsMany(StringField);
}

class ReleaseNotes extends CardDef {
  @field version = contains(StringField, { description: 'such as 2.4.0' });
  @field released = contains(DateField);
  @field changes = containsMany(Change);
  @field isPrerelease = contains(BooleanField);
}

export class DraftReleaseNotes extends Tool<typeof ReleaseNotes> {
  static actionVerb = 'Draft';
  description = 'Drafts the release notes of a version';
  requireInputFields = ['version', 'changes'];

  async getInputType() {
    return ReleaseNotes;
  }

  protected async run(input: ReleaseNotes): Promise<undefined> {
    console.log(`would draft ${input.version}`);
  }
}
