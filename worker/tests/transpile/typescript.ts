export enum Size { Small, Large = 'l', Both = 1 << 2 | Small }
const enum Inline { A = 1 }
namespace Space { export const value = Inline.A; export function f() { return value; } }
declare namespace Nothing { const x: number; }
declare global { interface Window { x: 1 } }
interface Shape<T> { a: T }
type Alias = Shape<string>['a'];
export function over(a: string): void;
export function over<T>(this: unknown, a?: T): asserts a {}
const value = <any>Space.value! as const satisfies unknown;
(value as any).x = 1;
export abstract class Base<T> implements Shape<T> {
  a!: T;
  [key: string]: unknown;
  protected static override readonly y?: number = 2;
}
export const generic = async <T,>(a: T) => a;
import Short = Space.f;
Short();
