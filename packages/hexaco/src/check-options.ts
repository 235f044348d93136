import { InvalidArgumentError } from '@x/core';

/** Figures of the options of this package, each with the range in which it means something. */
const RANGES = {
  maxDeltaPerSession: [(value: number) => value >= 0 && value <= 1, 'a number from 0 to 1'],
  budgetWindowMs: [(value: number) => value > 0, 'a number above 0'],
  halfLifeDays: [(value: number) => value > 0, 'a number above 0'],
  cycleTurns: [(value: number) => Number.isInteger(value) && value >= 1, 'a whole number from 1'],
  alarmDistance: [(value: number) => value > 0 && value <= 1, 'above 0 and at most 1'],
  resumeDistance: [(value: number) => value >= 0 && value <= 1, 'a number from 0 to 1'],
} as const;

/**
 * Checks figures where they are given, not at the first change: a bound that is NaN would bound nothing.
 *
 * @throws {@link InvalidArgumentError} one is outside its range.
 */
export function checkFigures(options: { readonly [K in keyof typeof RANGES]?: number | undefined }): void {
  for (const name of Object.keys(RANGES) as (keyof typeof RANGES)[]) {
    const value: unknown = options[name];
    const [holds, range] = RANGES[name];
    if (value !== undefined && !(typeof value === 'number' && holds(value))) throw new InvalidArgumentError(`${name} must be ${range}`);
  }
}
