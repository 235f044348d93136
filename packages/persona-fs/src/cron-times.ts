import { Cron } from 'croner';
import { offsetIn } from './zone-offset.js';

const DAY_MS = 86_400_000;
/** No change of clocks repeats more than this; croner looks as far. */
const LONGEST_REPEAT_MS = 3 * 3_600_000;

type Next = (afterMs: number) => number | undefined;

/**
 * Reads a pattern of five or six fields in a zone. The function that comes back gives the first time after another,
 * `undefined` when none ever comes. Where the hours are named, a change of clocks neither loses a time nor gives it
 * twice: what it skips comes right after the gap. Where every hour counts, each that passes does.
 *
 * @throws whatever croner throws for what is no such pattern.
 */
export function cronTimes(pattern: string, timeZone: string): Next {
  const read = (zone: { readonly timezone: string } | { readonly utcOffset: number }): Next => {
    const job = new Cron(pattern, { ...zone, paused: true, mode: '5-or-6-parts' });
    return (afterMs) => job.nextRun(new Date(afterMs))?.getTime();
  };
  const next = read({ timezone: timeZone });
  const fields = pattern.trim().split(/\s+/);
  // A single time of day croner keeps through a change by itself, and its nicknames are such times.
  const isSingle = fields.slice(0, -3).every((field) => /^\d+$/.test(field));
  if (fields.length < 5 || isSingle || /^\*(?:\/1)?$/.test(fields.at(-4) ?? '')) return next;
  const offset = offsetIn(timeZone);
  const isRepeat = (atMs: number): boolean => {
    const backMs = offset(atMs - LONGEST_REPEAT_MS) - offset(atMs);
    return backMs > 0 && offset(atMs - backMs) === offset(atMs) + backMs;
  };
  return (afterMs) => {
    let found = next(afterMs);
    while (found !== undefined && isRepeat(found)) found = next(found);
    if (found === undefined) return undefined;
    for (const { atMs, fromMs, byMs } of forwardChanges(offset, afterMs, found)) {
      const skipped = read({ utcOffset: fromMs / 60_000 })(atMs - 1_000);
      if (skipped !== undefined && skipped < atMs + byMs) return atMs;
    }
    return found;
  };
}

/** When clocks are set forward between two times: when, from what offset, and by how much. A day has one change at most. */
function* forwardChanges(
  offset: (atMs: number) => number,
  afterMs: number,
  untilMs: number,
): Generator<{ readonly atMs: number; readonly fromMs: number; readonly byMs: number }> {
  let startMs = afterMs;
  let from = offset(startMs);
  while (startMs < untilMs) {
    const endMs = Math.min(startMs + DAY_MS, untilMs);
    const to = offset(endMs);
    if (to > from) {
      let [before, atMs] = [startMs, endMs];
      while (atMs - before > 1) {
        const middle = Math.floor((before + atMs) / 2);
        if (offset(middle) === from) before = middle;
        else atMs = middle;
      }
      yield { atMs, fromMs: from, byMs: to - from };
    }
    startMs = endMs;
    from = to;
  }
}
