import { Cron } from 'croner';

/**
 * Reads a pattern of five or six fields in a zone. The function that comes back gives the first time after another,
 * `undefined` when none ever comes.
 *
 * @throws whatever croner throws for what is no such pattern.
 */
export function cronTimes(pattern: string, timeZone: string): (afterMs: number) => number | undefined {
  const job = new Cron(pattern, { timezone: timeZone, paused: true, mode: '5-or-6-parts' });
  return (afterMs) => job.nextRun(new Date(afterMs))?.getTime();
}
