// The one stream of randomness: seeded, so that a definition computed twice is the same twice.

// xoshiro128** 1.1 (Blackman and Vigna, public domain), state filled by splitmix32 from a constant.
const state = new Uint32Array(4);
{
  let seed = 0x52454c4d;
  for (let index = 0; index < state.length; index += 1) {
    seed = (seed + 0x9e3779b9) | 0;
    let mixed = seed ^ (seed >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    state[index] = mixed ^ (mixed >>> 15);
  }
}

const rotateLeft = (value, bits) => (value << bits) | (value >>> (32 - bits));

/** The next 32 bits, as an unsigned integer. */
export function randomUint32() {
  const result = Math.imul(rotateLeft(Math.imul(state[1], 5), 7), 9);
  const shifted = state[1] << 9;
  state[2] ^= state[0];
  state[3] ^= state[1];
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= shifted;
  state[3] = rotateLeft(state[3], 11);
  return result >>> 0;
}

/** What `Math.random` answers: 53 bits in [0, 1). */
export function randomFraction() {
  const high = randomUint32() >>> 5;
  const low = randomUint32() >>> 6;
  return (high * 0x4000000 + low) / 0x20000000000000;
}

/** Fills `bytes` (Uint8Array). */
export function fillRandom(bytes) {
  for (let index = 0; index < bytes.length; index += 1) {
    bytes[index] = randomUint32() >>> 24;
  }
}
