// The query of a link field may refer to the owning card's fields (`$this.path`): a path that names none is the
// author's mistake and fails where the class is defined.

import { getField } from './field-lookup.js';

const THIS = '$this.';

/** Throws where a reference in `query` is no path of `owner`. */
export function validateQuery(owner, fieldName, query) {
  if (typeof query !== 'object' || query === null) {
    throw new Error(`query field "${fieldName}" must provide a query object`);
  }
  for (const token of new Set(references(query))) validatePath(owner, fieldName, token);
}

function* references(value) {
  if (typeof value === 'string') {
    if (value.startsWith(THIS)) yield value;
  } else if (typeof value === 'object' && value !== null) {
    for (const entry of Object.values(value)) yield* references(entry);
  }
}

function validatePath(owner, fieldName, token) {
  const unknown = (card) =>
    new Error(`query field "${fieldName}" references unknown path "${token}" on ${card?.name ?? 'Card'}`);
  const segments = token.slice(THIS.length).split('.');
  let card = owner;
  let expectsIndex = false;
  segments.forEach((segment, at) => {
    const isLast = at === segments.length - 1;
    if (!segment) throw unknown(card);
    if (expectsIndex) {
      if (!/^\d+$/.test(segment)) {
        throw new Error(`query field "${fieldName}" must use a numeric index when referencing "${token}" on ${card?.name ?? 'Card'}`);
      }
      expectsIndex = false;
      return;
    }
    if (segment === 'id') {
      if (!isLast) throw new Error(`query field "${fieldName}" cannot dereference "id" within "${token}"`);
      return;
    }
    const referenced = card && getField(card, segment);
    if (!referenced) throw unknown(card);
    expectsIndex = referenced.fieldType === 'containsMany' && !isLast;
    card = referenced.card;
  });
}
