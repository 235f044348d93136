import { type AgentState, type Json, jsonObject, KEYS } from '@x/core';

/** What the sentiment tracker has left in the state. A field is absent when nothing was read yet. */
export interface Affect {
  /** -1 to 1; `null` when the last text gave no ground for a score. */
  readonly score: number | null | undefined;
  readonly polarity: string | undefined;
  /** Turns in a row, the last one included; 0 when the last one was otherwise. */
  readonly frustrationRun: number;
  readonly confusionRun: number;
  readonly satisfactionRun: number;
  readonly neutralRun: number;
  /** False when no turn was ever scored. */
  readonly known: boolean;
}

/** Reads the tracker's record and the user context. Damaged or missing fields read as unknown or 0. */
export function readAffect(state: AgentState): Affect {
  const record = jsonObject(state.values[KEYS.sentimentHistory]);
  const trends = record['trends'];
  const last = jsonObject(Array.isArray(trends) ? (trends.at(-1) as Json | undefined) : undefined);
  const score = last['score'];
  const polarity = jsonObject(state.values[KEYS.user])['currentSentiment'] ?? last['polarity'];
  return {
    score: score === null || (typeof score === 'number' && Number.isFinite(score)) ? score : undefined,
    polarity: typeof polarity === 'string' && /^[a-z_]{1,32}$/.test(polarity) ? polarity : undefined,
    frustrationRun: count(record['consecutiveFrustration']),
    confusionRun: count(record['consecutiveConfusion']),
    satisfactionRun: count(record['consecutiveSatisfaction']),
    neutralRun: count(record['consecutiveNeutral'] ?? record['consecutiveConfusion']),
    known: Object.keys(record).length > 0,
  };
}

/** A whole number from 0, everything else as 0. */
export function count(value: Json | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
