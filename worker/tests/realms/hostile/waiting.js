// Waits for what never comes, or comes late.
const schema = { attributes: { type: 'object', properties: {} } };
const tool = (wait) =>
  class {
    description = 'd';
    async getInputJsonSchema() {
      await wait();
      return schema;
    }
  };
export const Never = tool(() => new Promise(() => {}));
export const NeverWithTimers = tool(() => new Promise(() => setInterval(() => {}, 1)));
export const ThenNever = tool(() => ({ then() {} }));
export const LongTimer = tool(() => new Promise((resolve) => setTimeout(resolve, 86_400_000)));
export const ManyTimers = tool(async () => {
  for (let at = 0; at < 500; at++) await new Promise((resolve) => setTimeout(resolve, 1000));
});
export const TooManyTimers = tool(async () => {
  for (;;) await new Promise((resolve) => setTimeout(resolve));
});
export const Rejected = tool(() => Promise.reject(new Error('not today')));
export const RejectedWithNothing = tool(() => Promise.reject());
/** Nobody handles this one, and it is not what is awaited. */
export const RejectedAside = tool(() => void Promise.reject(new Error('aside')));
export const ThrownInTimer = tool(() => new Promise((resolve) => {
  setTimeout(() => {
    throw new Error('in a timer');
  });
  setTimeout(resolve, 1);
}));
export const ThrownInMicrotask = tool(async () => {
  queueMicrotask(() => {
    throw new Error('in a microtask');
  });
  await null;
});
/** A timer that outlives the answer does not hold it up. */
export const Left = tool(async () => void setInterval(() => {}, 1000));
