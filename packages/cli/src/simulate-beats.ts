import { beatSlots, composeSoul, estimateTextTokens, isEmptyChecklist, readPersona, SEED_PRICES } from '@x/agentos';
import { UsageError } from './cli-arguments.js';

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

/**
 * Walks the beats of the next days without waiting for them.
 *
 * @param span - Days, such as `30d`.
 * @throws {@link UsageError} for a span that is none, or a folder without a heartbeat.
 */
export function simulateBeats(dir: string, span: string, fromMs: number): BeatForecast {
  const days = Number(/^(\d{1,4})d$/.exec(span)?.[1]);
  if (!(days >= 1)) throw new UsageError('--simulate takes days, such as 30d.');
  const { heartbeat } = readPersona(dir).persona;
  if (!heartbeat || (heartbeat.everyMs === undefined && heartbeat.cron === undefined))
    throw new UsageError('This folder has no heartbeat. Add `heartbeat: { everyMs: 3600000 }` to persona.yaml.');
  const slots = beatSlots(heartbeat);
  const beats: string[] = [];
  for (
    let at = slots.next(fromMs, fromMs);
    at !== undefined && at <= fromMs + days * DAY_MS && beats.length < 100_000;
    at = slots.next(at, fromMs)
  )
    beats.push(new Date(at).toISOString());
  const { soul } = composeSoul(dir);
  const free = isEmptyChecklist(/^## HEARTBEAT\.md\n\n([\s\S]*?)(?=\n\n## |$)/m.exec(soul)?.[1] ?? '');
  const inputTokensPerBeat = free ? 0 : estimateTextTokens(soul) + BEAT_TOKENS.input;
  const price = SEED_PRICES['gpt-4o-mini'];
  const costUsd =
    free || !price ? 0 : (beats.length * (inputTokensPerBeat * price.inputPerMillion + BEAT_TOKENS.output * price.outputPerMillion)) / 1e6;
  return { beats, days, free, inputTokensPerBeat, costUsd };
}
