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
    // A day has one change at most.
    for (let startMs = afterMs; startMs < found; startMs += DAY_MS) {
      let [beforeMs, changeMs] = [startMs, Math.min(startMs + DAY_MS, found)];
      const from = offset(startMs);
      const forwardMs = offset(changeMs) - from;
      if (forwardMs <= 0) continue;
      while (changeMs - beforeMs > 1) {
        const middleMs = Math.floor((beforeMs + changeMs) / 2);
        if (offset(middleMs) === from) beforeMs = middleMs;
        else changeMs = middleMs;
      }
      // By the old offset, the next time lies within the gap: the clocks passed over it.
      const skippedMs = read({ utcOffset: from / 60_000 })(changeMs - 1_000);
      if (skippedMs !== undefined && skippedMs < changeMs + forwardMs) return changeMs;
    }
    return found;
  };
}
