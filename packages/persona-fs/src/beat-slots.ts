import { AgentosError, type HeartbeatConfig } from '@x/core';
import { type LocalTime, localTimeIn } from './beat-prompt.js';
import { cronTimes } from './cron-times.js';

/** A heartbeat's settings cannot be followed; no beat runs. */
export class HeartbeatConfigError extends AgentosError {
  override readonly name = 'HeartbeatConfigError';
  readonly code = 'heartbeat_config_invalid';
  readonly retryable = false;
  readonly field: string;
  constructor({ field, problem, cause }: { field: string; problem: string; cause?: unknown }) {
    super(`The heartbeat's ${field} ${problem}.`, { cause });
    this.field = field;
  }
}

/** When beats are due. */
export interface BeatSlots {
  /** The first slot after a time; `undefined` when none ever comes. */
  next(afterMs: number, anchorMs: number): number | undefined;
  /** Writes a time of the zone for the beat's message. */
  readonly localTime: LocalTime;
}

/**
 * Turns settings into slots. An interval lies on a grid from the anchor, so beats do not drift; a cron pattern is read
 * in the named zone, where a time that a change of clocks skips comes right after the gap and one that it repeats
 * comes once. A slot outside the active hours moves to when they next begin; several such become one.
 *
 * @throws {@link HeartbeatConfigError} for whatever is missing, malformed or never due.
 */
export function beatSlots(config: HeartbeatConfig): BeatSlots {
  const { everyMs, cron, timeZone = 'UTC', activeHours } = config;
  if ((everyMs === undefined) === (cron === undefined))
    throw new HeartbeatConfigError({ field: 'schedule', problem: 'needs either everyMs or cron' });
  const localTime = timeOf(timeZone);
  const raw = cron === undefined ? intervalSlots(everyMs) : cronSlots(cron, timeZone);
  return { next: activeHours === undefined ? raw : withinHours(raw, activeHours, timeZone), localTime };
}

type Next = BeatSlots['next'];

function intervalSlots(everyMs: unknown): Next {
  if (typeof everyMs !== 'number' || !Number.isFinite(everyMs) || everyMs < 1) {
    throw new HeartbeatConfigError({ field: 'everyMs', problem: 'must be a number of milliseconds from 1' });
  }
  return (afterMs, anchorMs) => anchorMs + (Math.floor((afterMs - anchorMs) / everyMs) + 1) * everyMs;
}

function cronSlots(pattern: unknown, timeZone: string): Next {
  // croner also takes a date, which is one time and no pattern: after it, no heartbeat could start any more.
  if (typeof pattern !== 'string' || pattern.includes(':'))
    throw new HeartbeatConfigError({ field: 'cron', problem: 'must be a pattern of five or six fields' });
  let nextAfter: ReturnType<typeof cronTimes>;
  try {
    nextAfter = cronTimes(pattern, timeZone);
  } catch (cause) {
    throw new HeartbeatConfigError({ field: 'cron', problem: 'is not a pattern of five or six fields', cause });
  }
  // The last answer holds for every time between it and what was asked for; a thousand agents on one pattern ask once.
  let askedMs = Number.POSITIVE_INFINITY;
  let answerMs: number | undefined;
  return (afterMs) => {
    if (afterMs < askedMs || (answerMs !== undefined && afterMs >= answerMs)) {
      askedMs = afterMs;
      answerMs = nextAfter(afterMs);
    }
    return answerMs;
  };
}

function withinHours(raw: Next, activeHours: unknown, timeZone: string): Next {
  const { from, to } = (typeof activeHours === 'object' && activeHours !== null ? activeHours : {}) as { from?: unknown; to?: unknown };
  const opens = minutesOf('activeHours.from', from, 1_439);
  const closes = minutesOf('activeHours.to', to, 1_440);
  if (opens === closes) throw new HeartbeatConfigError({ field: 'activeHours', problem: 'must not begin and end at the same time' });
  const opening = cronTimes(`${opens % 60} ${Math.floor(opens / 60)} * * *`, timeZone);
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const isActive = (atMs: number): boolean => {
    const [hours = '0', minutes = '0'] = clock.format(atMs).split(':');
    const now = Number(hours) * 60 + Number(minutes);
    return opens < closes ? now >= opens && now < closes : now >= opens || now < closes;
  };
  return (afterMs, anchorMs) => {
    let slot = raw(afterMs, anchorMs);
    // A change of clocks can leave the hours out for a day, seldom for more; then the next day's are meant.
    for (let day = 0; slot !== undefined && !isActive(slot) && day < DAYS_TRIED; day += 1) slot = opening(slot);
    return slot;
  };
}

const DAYS_TRIED = 400;

function minutesOf(field: string, value: unknown, latest: number): number {
  const match = typeof value === 'string' ? /^(\d{1,2}):([0-5]\d)$/.exec(value.trim()) : null;
  const minutes = match === null ? Number.NaN : Number(match[1]) * 60 + Number(match[2]);
  if (!(minutes <= latest)) throw new HeartbeatConfigError({ field, problem: 'must be a local time such as 08:00' });
  return minutes;
}

function timeOf(timeZone: unknown): LocalTime {
  try {
    if (typeof timeZone === 'string') return localTimeIn(timeZone);
  } catch (cause) {
    throw new HeartbeatConfigError({ field: 'timeZone', problem: 'is not the name of a time zone, such as Europe/Berlin', cause });
  }
  throw new HeartbeatConfigError({ field: 'timeZone', problem: 'must be the name of a time zone, such as Europe/Berlin' });
}
