// Loaded first in a fresh instance: the seeded stream begins with these values in every one.

export const cases = [
  ['Math.random', () => [Math.random(), Math.random()], [0.6858966722741634, 0.7392872592622556]],
  ['randomUUID', () => crypto.randomUUID(), '3564883c-99c2-4fa0-9403-d63cfd51b393'],
];
