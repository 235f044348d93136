/** Where the time comes from. Everything that waits takes one, so that tests can move it. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Calls `fn` once, no sooner than `ms` milliseconds from now; the returned function cancels. Must not throw. */
  setTimeout(fn: () => void, ms: number): () => void;
}

/** Where chance comes from: a number in [0, 1), like `Math.random`. */
export type Random = () => number;

// Timers fire at once when their delay does not fit 32 bits signed, so long waits are taken in laps.
const LONGEST_TIMER_MS = 2_147_483_647;

/** The machine's own time. Waits longer than 24.8 days, the limit of a JavaScript timer, work. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(fn, ms) {
    let left = Math.max(0, ms);
    let timer: ReturnType<typeof globalThis.setTimeout>;
    const lap = (): void => {
      const wait = Math.min(left, LONGEST_TIMER_MS);
      left -= wait;
      timer = globalThis.setTimeout(() => (left > 0 ? lap() : fn()), wait);
    };
    lap();
    return () => globalThis.clearTimeout(timer);
  },
};

/**
 * Makes an identifier such as `msg-k3v9x0q2m1za`: the prefix, a dash and 62 random bits in base 36.
 *
 * @param random - Source of chance; a seeded one gives the same ids again.
 */
export function createId(prefix: string, random: Random = Math.random): string {
  writeHalf(0, random());
  writeHalf(6, random());
  // In one piece: a turn makes a dozen, and pieces would be joined, kept and joined again.
  return `${prefix}-${String.fromCharCode(...digits)}`;
}

const digits = new Array<number>(12).fill(48);

function writeHalf(from: number, chance: number): void {
  let left = Math.floor(chance * 2 ** 31);
  for (let place = from + 5; place >= from; place -= 1) {
    const digit = left % 36;
    digits[place] = digit < 10 ? 48 + digit : 87 + digit;
    left = (left - digit) / 36;
  }
}
