import {
  beatSlots,
  composeSoul,
  createFileSchedule,
  createMemorySchedule,
  estimateTextTokens,
  HEARTBEAT_OK,
  laneKey,
  readPersona,
  SEED_PRICES,
  startHeartbeat,
} from '@x/agentos';
import { createVirtualClock } from '@x/testkit';
import { UsageError } from './errors.js';

export interface BeatForecast {
  /** ISO 8601, oldest first. */
  readonly beats: readonly string[];
  readonly days: number;
  /** True when the checklist is empty: then no beat asks a model. */
  readonly free: boolean;
  readonly inputTokensPerBeat: number;
  /** US dollars at the seed's price of gpt-4o-mini. */
  readonly costUsd: number;
}

/** Tokens that a beat's prompt, tools and reply have beside the soul; a guess, ours. */
const BEAT_TOKENS = { input: 300, output: 60 };
const DAY_MS = 86_400_000;
const MAX_BEATS = 100_000;

/**
 * Walks the beats of the next days without waiting for them.
 *
 * @param span - Days, such as `30d`.
 * @throws {@link UsageError} for a span that is none, or a folder without a heartbeat.
 */
export async function simulateBeats(dir: string, span: string, fromMs: number): Promise<BeatForecast> {
  const days = Number(/^(\d{1,4})d$/.exec(span)?.[1]);
  if (!(days >= 1)) throw new UsageError('--simulate takes days, such as 30d.');
  const { persona, dir: root } = readPersona(dir);
  const { heartbeat } = persona;
  if (!heartbeat || (heartbeat.everyMs === undefined && heartbeat.cron === undefined))
    throw new UsageError('This folder has no heartbeat. Add `heartbeat: { everyMs: 3600000 }` to persona.yaml.');
  const slots = beatSlots(heartbeat);
  const beats: string[] = [];
  for (
    let at = slots.next(fromMs, fromMs);
    at !== undefined && at <= fromMs + days * DAY_MS && beats.length < MAX_BEATS;
    at = slots.next(at, fromMs)
  )
    beats.push(new Date(at).toISOString());
  const free = !(await asksModel(root));
  const inputTokensPerBeat = free ? 0 : estimateTextTokens(composeSoul(dir).soul) + BEAT_TOKENS.input;
  const price = SEED_PRICES['gpt-4o-mini'];
  const costUsd =
    free || !price ? 0 : (beats.length * (inputTokensPerBeat * price.inputPerMillion + BEAT_TOKENS.output * price.outputPerMillion)) / 1e6;
  return { beats, days, free, inputTokensPerBeat, costUsd };
}

/** Runs one beat on a clock of its own, and tells whether it came to a model. What a beat reads, and how, is the heartbeat's to say. */
async function asksModel(dir: string): Promise<boolean> {
  const clock = createVirtualClock();
  const key = laneKey({ directory: dir });
  // Of the folder's own schedule only the tasks that are done count, and nothing is written to it.
  const schedule = createMemorySchedule();
  const { done } = createFileSchedule(dir).get(key) ?? {};
  if (done) await schedule.set(key, { nextDueMs: 1, anchorMs: 0, failures: 0, revision: 1, done });
  return new Promise((tell) => {
    const heartbeat = startHeartbeat({
      dir,
      key,
      schedule,
      everyMs: 1,
      clock,
      runBeat: async () => ({ status: 'done', text: HEARTBEAT_OK }),
      onReport: ({ outcome }) => {
        tell(outcome !== 'empty');
        void heartbeat.stop();
      },
    });
    void clock.advance(1);
  });
}
