// A barrel: everything the realm's cards export, and a few by other names.
export * from './plant';
export * from './cycle-a';
export * as soil from '../fields/soil';
export { default, Tree as Wood } from './plant';
export { Vase } from './cycle-b';
import { Sample as Probe } from '../fields/soil';
export { Probe };
/** Stands before the one of `./plant`. */
export { Nothing as Bonsai } from '../fields/soil';
