@registered @named('a') export class A {}
@registered class B extends A {}
export const C = @registered class {};
export const D = class { @tracked x = 1 };
export default @registered class E { @tracked self = () => E }
function inner() {
  @registered class F {}
  return F;
}
