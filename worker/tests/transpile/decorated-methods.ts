export class Panel {
  @action open(this: Panel, at: number): void {}
  @action @once static reset() {}
  @cached get size(): number { return 1; }
  set size(value: number) {}
  overloaded(a: string): void;
  overloaded(a?: string) {}
}
