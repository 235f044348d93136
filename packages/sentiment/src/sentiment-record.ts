import type { Json } from '@x/core';
import type { Polarity } from './affect.js';

/** One scored turn, as kept under `gmi_sentiment_history`. */
export interface SentimentTrend {
  readonly turnId: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly score: number | null;
  readonly polarity: Polarity;
  readonly intensity: number;
  /** The first 100 characters of the message; only when the host asked for excerpts. */
  readonly context?: string | undefined;
}

/** What the tracker remembers of a lane. It is JSON, so it survives a restart as it is. */
export interface SentimentRecord {
  /** Oldest first, at most `historyWindow`. */
  readonly trends: readonly SentimentTrend[];
  readonly lastAnalyzedTurnId: string | null;
  readonly consecutiveFrustration: number;
  /** Turns in a row that showed confusion; under the seed's table turns between the two thresholds. */
  readonly consecutiveConfusion: number;
  readonly consecutiveSatisfaction: number;
  /** Turns in a row between the two thresholds. */
  readonly consecutiveNeutral: number;
  readonly userTurns: number;
  /** Lengths in characters of the last {@link RECENT_LENGTHS} messages, oldest first. */
  readonly recentLengths: readonly number[];
  /** Mean length of the messages before those, and how many they were (at most 50 count). */
  readonly usualLength: number;
  readonly usualCount: number;
}

/** How many messages stand for "now" when engagement is compared with the person's own habit. */
export const RECENT_LENGTHS = 3;

export const EMPTY_RECORD: SentimentRecord = {
  trends: [],
  lastAnalyzedTurnId: null,
  consecutiveFrustration: 0,
  consecutiveConfusion: 0,
  consecutiveSatisfaction: 0,
  consecutiveNeutral: 0,
  userTurns: 0,
  recentLengths: [],
  usualLength: 0,
  usualCount: 0,
};

/** Reads a stored record; what is missing or of another type starts anew. */
export function readRecord(value: Json | undefined): SentimentRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return EMPTY_RECORD;
  const stored = value as { readonly [key: string]: Json };
  const count = (name: keyof SentimentRecord): number => {
    const item = stored[name];
    return typeof item === 'number' && item >= 0 ? item : 0;
  };
  return {
    trends: (Array.isArray(stored.trends) ? stored.trends : []).filter(isTrend),
    lastAnalyzedTurnId: typeof stored.lastAnalyzedTurnId === 'string' ? stored.lastAnalyzedTurnId : null,
    consecutiveFrustration: count('consecutiveFrustration'),
    consecutiveConfusion: count('consecutiveConfusion'),
    consecutiveSatisfaction: count('consecutiveSatisfaction'),
    consecutiveNeutral: count('consecutiveNeutral'),
    userTurns: count('userTurns'),
    recentLengths: (Array.isArray(stored.recentLengths) ? stored.recentLengths : []).filter((n) => typeof n === 'number'),
    usualLength: count('usualLength'),
    usualCount: count('usualCount'),
  };
}

function isTrend(value: unknown): value is SentimentTrend {
  const trend = value as Partial<SentimentTrend> | null;
  return typeof trend === 'object' && trend !== null && typeof trend.turnId === 'string' && typeof trend.polarity === 'string';
}
