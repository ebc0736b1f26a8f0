#!/usr/bin/env node
import fallback, * as all from './both';
import first, { second as renamed, 'odd name' as odd } from './named';
import again from './both';
import unused from './unused';
const { x = fallback } = all;
export const result = [first(), new renamed.Thing(), odd, again?.(), { first }, renamed`tag`, (first)()];
export function shadow(first) { return first; }
