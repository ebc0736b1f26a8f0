import { Tool } from '@cardstack/runtime-common';
import { CardDef, FieldDef, StringField, contains, containsMany, field } from '@cardstack/base/card-api';
import NumberField from '@cardstack/base/number';

class Ingredient extends FieldDef {
  @field name = contains(StringField);
  @field quantity = contains(NumberField);
  @field unit = contains(StringField, { description: 'empty for what is counted, such as eggs' });
}

class ScaleInput extends CardDef {
  @field servings = contains(NumberField, { description: 'how many the recipe is for' });
  @field wanted = contains(NumberField, { description: 'how many it is to be for' });
  @field ingredients = containsMany(Ingredient);
}

export default class ScaleRecipe extends Tool<typeof ScaleInput> {
  description = 'Scales the quantities of a recipe';
  requireInputFields = ['servings', 'wanted', 'ingredients'];

  async getInputType() {
    return ScaleInput;
  }

  protected async run(input: ScaleInput): Promise<undefined> {
    console.log(`would scale to ${input.wanted}`);
  }
}
