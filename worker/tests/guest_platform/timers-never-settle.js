// The whole run ends with an error of `runTimersUntil`: what the module awaits goes on setting timers.

export const rejects = 'timers never settle: 2000 of them ran, and what is awaited is still pending';

export const cases = [['polling for what never comes', () => new Promise(() => setInterval(() => {}, 100)), undefined]];
