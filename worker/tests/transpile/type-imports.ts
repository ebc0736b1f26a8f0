import Value from './value';
import OnlyType from './only-type';
import { used, type Kind, alsoType } from './mixed';
import type { Erased } from './erased';
import { type A, type B } from './all-types';
import * as space from './space';
import './side-effect';
import {} from './nothing';
import { reExported } from './re-exported';
import { InDecorator } from './decorators';
import { json } from './data.json' with { type: 'json' };
export type { Gone } from './gone';
export { type T, kept } from './from';
export type * from './types-only';
export { reExported };
let x: OnlyType | Erased | space.Type | A = used as unknown as alsoType;
class K { @InDecorator field: Kind = Value; }
json;
