// The fixed clock and the seeded stream: the same values in every instance, at any time.

export const cases = [
  [
    'now',
    () => [Date.now(), new Date().toISOString(), new Date().getTime() === Date.now()],
    [1767225600000, '2026-01-01T00:00:00.000Z', true],
  ],
  ['Date as a function', () => [Date() === new Date().toString(), typeof Date()], [true, 'string']],
  [
    'the text names the zone',
    () => String(new Date(0)),
    'Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)',
  ],
  [
    'other dates are as ever',
    () => [
      new Date(2020, 1, 29, 12).toISOString(),
      new Date('2020-01-02').getTime(),
      new Date(new Date(5)).getTime(),
      Date.UTC(2000, 0),
      Date.parse('2000-01-01T00:00:00Z'),
      Date.length,
      Date.name,
    ],
    ['2020-02-29T12:00:00.000Z', 1577923200000, 5, 946684800000, 946684800000, 7, 'Date'],
  ],
  [
    'one class',
    () => [new Date() instanceof Date, new Date().constructor === Date, Date.prototype.constructor === Date],
    [true, true, true],
  ],
  [
    'extending Date',
    () => {
      class Day extends Date {
        get label() {
          return this.toISOString().slice(0, 10);
        }
      }
      return [new Day().label, new Day(0).label, new Day() instanceof Date];
    },
    ['2026-01-01', '1970-01-01', true],
  ],
  ['the zone is UTC', () => [new Date().getTimezoneOffset(), new Date(0).getHours()], [0, 0]],
  ['invalid dates', () => [`${new Date('x')}`, new Date(undefined).getTime()], ['Invalid Date', null]],
  [
    'performance',
    () => [performance.now(), performance.timeOrigin, performance.mark('a').name, performance.getEntries().length],
    [0, 1767225600000, 'a', 1],
  ],
  [
    'random numbers are numbers',
    () => {
      const drawn = Array.from({ length: 1000 }, () => Math.random());
      const mean = drawn.reduce((sum, number) => sum + number, 0) / drawn.length;
      return [drawn.every((number) => number >= 0 && number < 1), new Set(drawn).size, mean > 0.45 && mean < 0.55];
    },
    [true, 1000, true],
  ],
  [
    'a UUID is a UUID',
    () => [
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()),
      crypto.randomUUID() === crypto.randomUUID(),
    ],
    [true, false],
  ],
  [
    'random bytes',
    () => {
      const view = new Uint32Array(4);
      return [crypto.getRandomValues(view) === view, view.some((number) => number !== 0)];
    },
    [true, true],
  ],
  [
    'what random bytes refuse',
    () =>
      [new Float64Array(1), new Uint8Array(70_000)].map((view) => {
        try {
          return crypto.getRandomValues(view).length;
        } catch (error) {
          return error.name;
        }
      }),
    ['TypeMismatchError', 'QuotaExceededError'],
  ],
  [
    'algorithms are refused',
    () => crypto.subtle.digest('SHA-256', new Uint8Array(1)).catch((error) => error.name),
    'NotSupportedError',
  ],
];
