import { HEARTBEAT_OK } from './bootstrap.js';

export interface BeatMoment {
  /** Now; milliseconds since 1970. */
  readonly atMs: number;
  /** When it was due; named in the prompt when it is more than a minute ago. */
  readonly dueAtMs: number;
  /** IANA name. */
  readonly timeZone: string;
  /** Tasks of the checklist that were ticked off for good. */
  readonly done?: readonly string[] | undefined;
  /** Whether the beat has `heartbeat_done`; default false. */
  readonly canTick?: boolean | undefined;
}

/** The message of a beat: what time it is, what to do, and how to stay silent. */
export function beatPrompt(moment: BeatMoment, localTime: LocalTime = localTimeIn(moment.timeZone)): string {
  const { atMs, dueAtMs, timeZone, done = [], canTick = false } = moment;
  const late = atMs - dueAtMs > 60_000 ? ` This beat was due on ${localTime(dueAtMs)}.` : '';
  return [
    `Heartbeat. It is ${localTime(atMs)} (${timeZone}).${late}`,
    'Nobody is talking to you now. Follow the HEARTBEAT.md section of your instructions.',
    ...done.map((item) => `Done for good, leave it out: ${item}`),
    ...(canTick ? ['When you have done a task that is meant for one time, call the tool heartbeat_done with its words.'] : []),
    `If nothing needs doing or saying, call the tool heartbeat_ok, or reply exactly ${HEARTBEAT_OK}; nobody hears that.`,
    'Otherwise reply with what the user should hear, and only that.',
  ].join('\n');
}

/** Writes a time such as `Monday, 2026-03-02, 09:00`. */
export type LocalTime = (atMs: number) => string;

/** Makes the writer of one zone; making it costs far more than using it. */
export function localTimeIn(timeZone: string): LocalTime {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (atMs) => {
    const parts = format.formatToParts(atMs);
    const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((one) => one.type === type)?.value ?? '';
    return `${part('weekday')}, ${part('year')}-${part('month')}-${part('day')}, ${part('hour')}:${part('minute')}`;
  };
}
