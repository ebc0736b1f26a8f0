// Timers on the fixed clock: only their order is left of time.

const after = (delay, value) => new Promise((resolve) => setTimeout(resolve, delay, value));

export const cases = [
  [
    'by due time, not by call',
    async () => {
      const seen = [];
      setTimeout(() => seen.push('late'), 20);
      setTimeout(() => seen.push('soon'), 1);
      setTimeout(() => seen.push('now'));
      await after(30);
      return seen;
    },
    ['now', 'soon', 'late'],
  ],
  [
    'equal delays in order',
    async () => {
      const seen = [];
      for (const name of ['a', 'b', 'c']) setTimeout(() => seen.push(name), 5);
      await after(5);
      return seen;
    },
    ['a', 'b', 'c'],
  ],
  ['arguments', () => after(10, 'value'), 'value'],
  [
    'promises come before timers',
    async () => {
      const seen = [];
      setTimeout(() => seen.push('timer'), 0);
      queueMicrotask(() => seen.push('microtask'));
      for (let turn = 0; turn < 50; turn += 1) await undefined;
      seen.push('promise');
      await after(0);
      return seen;
    },
    ['microtask', 'promise', 'timer'],
  ],
  [
    'promises of one timer come before the next',
    async () => {
      const seen = [];
      setTimeout(async () => {
        await undefined;
        seen.push('after the first');
      }, 1);
      setTimeout(() => seen.push('second'), 1);
      await after(2);
      return seen;
    },
    ['after the first', 'second'],
  ],
  [
    'a time limit of seconds does not overtake work',
    async () => {
      const work = (async () => {
        for (let turn = 0; turn < 500; turn += 1) await undefined;
        return 'done';
      })();
      return Promise.race([work, after(5000, 'too late')]);
    },
    'done',
  ],
  [
    'cleared',
    async () => {
      const seen = [];
      clearTimeout(setTimeout(() => seen.push('cleared'), 1));
      clearTimeout(undefined);
      clearTimeout(12345);
      await after(2);
      return seen;
    },
    [],
  ],
  [
    'intervals',
    async () => {
      const seen = [];
      await new Promise((resolve) => {
        const id = setInterval(() => {
          seen.push(seen.length);
          if (seen.length === 3) {
            clearInterval(id);
            resolve();
          }
        }, 10);
      });
      await after(100);
      return seen;
    },
    [0, 1, 2],
  ],
  [
    'a timer set by a timer',
    async () => {
      const seen = [];
      setTimeout(() => {
        seen.push('outer');
        setTimeout(() => seen.push('inner'), 5);
      }, 1);
      await after(10);
      return seen;
    },
    ['outer', 'inner'],
  ],
  [
    'an error in a timer does not stop the rest',
    async () => {
      setTimeout(() => {
        throw new Error('ignored');
      }, 1);
      return after(2, 'went on');
    },
    'went on',
  ],
  [
    'frames and idle time',
    async () => {
      const frame = await new Promise((resolve) => requestAnimationFrame((time) => resolve(typeof time)));
      const idle = await new Promise((resolve) => requestIdleCallback((deadline) => resolve(deadline.didTimeout)));
      return [frame, idle];
    },
    ['number', false],
  ],
  [
    'the clock stands still',
    async () => {
      const before = Date.now();
      await after(60_000);
      return Date.now() - before;
    },
    0,
  ],
  [
    'code as text is refused',
    () => {
      try {
        return setTimeout('1 + 1');
      } catch (error) {
        return error.name;
      }
    },
    'TypeError',
  ],
  ['identifiers are numbers', () => typeof setTimeout(() => {}, 0), 'number'],
];
