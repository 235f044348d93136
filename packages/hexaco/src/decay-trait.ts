import { InvalidArgumentError } from '@x/core';

/** Days until half of a change is left, unless the host says otherwise. Ours; the original took 0.05 off a day. */
export const HALF_LIFE_DAYS = 14;
export const DAY_MS = 86_400_000;

/**
 * What is left of a trait's change after some time.
 *
 * @param delta - The change as it was made.
 * @param elapsedMs - Milliseconds since; below 0 counts as 0, so that a clock set back makes nothing grow.
 * @param halfLifeDays - Above 0; `Infinity` for no decay.
 * @returns `delta * 2 ** (-days / halfLifeDays)`: two short waits equal one long wait.
 * @throws {@link InvalidArgumentError} `halfLifeDays` is not above 0.
 */
export function decayDelta(delta: number, elapsedMs: number, halfLifeDays: number = HALF_LIFE_DAYS): number {
  if (!(halfLifeDays > 0)) throw new InvalidArgumentError(`halfLifeDays must be above 0, got ${halfLifeDays}.`);
  return delta * 2 ** (-Math.max(0, elapsedMs) / DAY_MS / halfLifeDays);
}
