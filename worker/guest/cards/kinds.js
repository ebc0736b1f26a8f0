// What kind of definition a class is, told by its statics as Boxel tells it: never by identity, so that it also
// holds for classes of another copy of the card runtime.

import { isBaseInstance, isSpec, primitive } from './symbols.js';

export const isBaseDef = (value) => typeof value === 'function' && 'baseDef' in value;
export const isCardDef = (value) => isBaseDef(value) && 'isCardDef' in value;
export const isFieldDef = (value) => isBaseDef(value) && 'isFieldDef' in value;
export const isFileDef = (value) => isBaseDef(value) && 'isFileDef' in value;
export const isPrimitive = (value) => isBaseDef(value) && primitive in value;
export const isSpecCard = (value) => isBaseDef(value) && isSpec in value;
export const isListingDef = (value) => isCardDef(value) && 'isListingDef' in value;

export const isBaseDefInstance = (value) => typeof value === 'object' && value !== null && isBaseInstance in value;
export const isCardInstance = (value) => isCardDef(value?.constructor);
export const isFieldInstance = (value) => isFieldDef(value?.constructor);
export const isFileDefInstance = (value) => isFileDef(value?.constructor);
export const isListingInstance = (value) => isListingDef(value?.constructor);
