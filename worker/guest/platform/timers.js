// Timers on the fixed clock. No time passes while a tool is described, so a timer's delay is only an order: when
// nothing else is left to run, virtual time jumps to the next due timer. Timers run only while something is awaited
// with `runTimersUntil`.

import { report } from './events.js';

/** How many timers one awaited promise may run before it counts as never settling. */
export const MAX_TIMERS = 2_000;

// The engine ends where a microtask throws: a browser reports that and goes on.
const queueEngineMicrotask = globalThis.queueMicrotask;

// Frames of a display of 60 Hz, in milliseconds.
const FRAME_MS = 16;

/** Pending timers by id: {id, due, order, callback, args, period}. */
const pending = new Map();
let lastId = 0;
let lastOrder = 0;
let virtualNow = 0;
/** Called when a timer is added while the runner has nothing to do. */
let wake = () => {};
/** Resolves once the engine has run every job that is queued. */
let turn = manyMicrotasks;

/** Lets the host say when the engine's job queue is empty: `hostTurn` answers a promise that resolves only then. */
export function provideTurn(hostTurn) {
  turn = hostTurn;
}

// Without the host's help an empty queue can't be seen, only waited for.
async function manyMicrotasks() {
  for (let count = 0; count < 1000; count += 1) await undefined;
}

function addTimer(callback, delay, args, period) {
  if (typeof callback !== 'function') throw new TypeError('a timer calls a function, not a string of code');
  lastId += 1;
  pending.set(lastId, { id: lastId, due: virtualNow + delay, order: (lastOrder += 1), callback, args, period });
  wake();
  return lastId;
}

// Web IDL `long`, as the HTML standard wants it.
const milliseconds = (delay) => Math.max(0, Number(delay) | 0);
const forget = (id) => void pending.delete(Number(id));

/** The globals of timers, and of what runs before the next one. */
export const timerGlobals = {
  setTimeout(callback, delay = 0, ...args) {
    return addTimer(callback, milliseconds(delay), args, undefined);
  },
  setInterval(callback, delay = 0, ...args) {
    const period = Math.max(1, milliseconds(delay));
    return addTimer(callback, period, args, period);
  },
  clearTimeout: forget,
  clearInterval: forget,
  requestAnimationFrame(callback) {
    return addTimer(() => callback(virtualNow), FRAME_MS, [], undefined);
  },
  cancelAnimationFrame: forget,
  requestIdleCallback(callback) {
    return addTimer(() => callback({ didTimeout: false, timeRemaining: () => FRAME_MS }), 1, [], undefined);
  },
  cancelIdleCallback: forget,
  queueMicrotask(callback) {
    if (typeof callback !== 'function') throw new TypeError('a microtask calls a function');
    queueEngineMicrotask(() => report(callback));
  },
};

function nextTimer() {
  let next;
  for (const timer of pending.values()) {
    const isSooner = next !== undefined && (timer.due - next.due || timer.order - next.order) < 0;
    if (next === undefined || isSooner) next = timer;
  }
  return next;
}

function runTimer(timer) {
  virtualNow = Math.max(virtualNow, timer.due);
  if (timer.period === undefined) {
    pending.delete(timer.id);
  } else {
    timer.due = virtualNow + timer.period;
    timer.order = lastOrder += 1;
  }
  // As in a browser: an error in a timer is reported, and what awaits goes on waiting.
  report(() => timer.callback(...timer.args));
}

/**
 * Settles as `promise` does, running timers meanwhile: one at a time, by due time, each after everything that was
 * queued before it. Rejects when `MAX_TIMERS` have run and `promise` still waits. Where nothing is left to run and
 * `promise` waits, this waits too: the engine has no way out of that, and says so to its host.
 */
export function runTimersUntil(promise) {
  return new Promise((resolve, reject) => {
    let settled = false;
    const settle = (finish) => (outcome) => {
      settled = true;
      finish(outcome);
    };
    Promise.resolve(promise).then(settle(resolve), settle(reject));
    runTimers(() => settled).catch(reject);
  });
}

async function runTimers(isSettled) {
  let ran = 0;
  while (!isSettled()) {
    if (pending.size === 0) await new Promise((resolve) => (wake = resolve));
    await turn();
    // Whatever ran in that turn may have settled the promise, or cleared the timer.
    const timer = nextTimer();
    if (isSettled() || timer === undefined) continue;
    if (ran === MAX_TIMERS) {
      throw new Error(`timers never settle: ${MAX_TIMERS} of them ran, and what is awaited is still pending`);
    }
    ran += 1;
    runTimer(timer);
  }
}
