import { decayDelta } from './decay-trait.js';

/** A change of one trait that was made in another session. */
export interface ForeignChange {
  readonly id: string;
  readonly delta: number;
  readonly atMs: number;
  /** When it was taken back, if it was. */
  readonly undoneMs?: number | undefined;
}

/** How a session began. */
export interface Beginning {
  /** The trait before anything changed it there. */
  readonly initial: number;
  /** The persona's score. */
  readonly baseline: number;
  /** No later than this; the session may have been opened before it said anything. */
  readonly byMs: number;
}

/** Sums of faded changes are compared with this slack. */
const SLACK = 1e-6;

/**
 * What a session brought along of changes that others had made before it was opened, by the id of the change.
 *
 * The log does not say when a session was opened or with what; the trait that it began with does. Between two changes
 * there is one range of values that a new session can start with, and the latest range that fits is taken. None fits:
 * the host gave traits of its own, and nothing was brought along.
 */
export function inheritedChanges(
  changes: readonly ForeignChange[],
  { initial, baseline, byMs }: Beginning,
  halfLifeDays: number,
): ReadonlyMap<string, number> {
  const times = changes.flatMap(({ atMs, undoneMs }) => (undoneMs === undefined ? [atMs] : [atMs, undoneMs]));
  const past = [...new Set(times)].filter((ms) => ms <= byMs).sort((a, b) => b - a);
  let untilMs = byMs;
  for (const sinceMs of past) {
    const standing = changes.filter(({ atMs, undoneMs = Number.POSITIVE_INFINITY }) => atMs <= sinceMs && undoneMs > sinceMs);
    const leftAt = (ms: number) => standing.map(({ id, delta, atMs }) => [id, decayDelta(delta, ms - atMs, halfLifeDays)] as const);
    const [most, least] = [sum(leftAt(sinceMs)), sum(leftAt(untilMs))];
    const ends = [bounded(baseline + most), bounded(baseline + least)];
    if (initial >= Math.min(...ends) - SLACK && initial <= Math.max(...ends) + SLACK) {
      // At a bound of the scale the value does not tell the time any more.
      if (most === 0 || initial <= 0 || initial >= 1) return new Map(leftAt(untilMs));
      const faded = (initial - baseline) / most;
      return new Map(leftAt(sinceMs).map(([id, left]) => [id, left * faded]));
    }
    untilMs = sinceMs;
  }
  return new Map();
}

/** What a trait loses with one of several changes: less than the change where their sum lies beyond a bound of the scale. */
export function lossWithout(id: string, held: ReadonlyMap<string, number>, baseline: number): number {
  const all = sum([...held]);
  return bounded(baseline + all) - bounded(baseline + all - (held.get(id) ?? 0));
}

function sum(parts: readonly (readonly [id: string, left: number])[]): number {
  return parts.reduce((total, [, left]) => total + left, 0);
}

function bounded(score: number): number {
  return Math.min(1, Math.max(0, score));
}
