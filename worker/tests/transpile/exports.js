export let count = 0;
export const { a, b: [c, ...d] } = source();
export function hoisted() { return count++; }
export class Live {}
const local = 1;
export { local, local as 'any name', local as default };
export * from './star';
export * as named from './named';
export { default as other, x } from './other';
