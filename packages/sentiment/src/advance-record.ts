import { excerpt } from './excerpt.js';
import { RECENT_LENGTHS, type SentimentRecord, type SentimentTrend } from './sentiment-record.js';
import type { TrackingConfig } from './tracking-config.js';
import type { TurnReading } from './turn-reading.js';

export interface TurnFacts {
  readonly turnId: string;
  readonly atMs: number;
  readonly text: string;
  /** Keep the first 100 characters of the message in the record. */
  readonly excerpts: boolean;
}

/**
 * Counts a scored turn. Of frustration, satisfaction and neutral exactly one counter grows and the others fall to 0;
 * confusion has its own. An unknown score moves none of the three: unknown is not neutral.
 *
 * @returns The same record when this turn was counted before, so that a retry changes nothing.
 */
export function advanceRecord(record: SentimentRecord, reading: TurnReading, facts: TurnFacts, config: TrackingConfig): SentimentRecord {
  if (record.lastAnalyzedTurnId === facts.turnId) return record;
  const trend: SentimentTrend = {
    turnId: facts.turnId,
    timestamp: new Date(facts.atMs).toISOString(),
    score: reading.score,
    polarity: reading.polarity,
    intensity: reading.intensity,
    ...(facts.excerpts && { context: excerpt(facts.text, 100) }),
  };
  const trends = config.historyWindow === 0 ? [] : [...record.trends, trend].slice(-config.historyWindow);
  return {
    ...record,
    ...countScore(record, reading, config),
    ...countLength(record, facts.text.length),
    trends,
    lastAnalyzedTurnId: facts.turnId,
    userTurns: record.userTurns + 1,
  };
}

type Counters = Pick<SentimentRecord, 'consecutiveFrustration' | 'consecutiveConfusion' | 'consecutiveSatisfaction' | 'consecutiveNeutral'>;

function countScore(record: SentimentRecord, { score, confused }: TurnReading, config: TrackingConfig): Counters {
  // The seed compares scores only, and an unknown one lands between the thresholds.
  const known = score ?? (config.seedTable ? 0 : null);
  const isFrustrated = known !== null && known < config.frustrationThreshold;
  const isSatisfied = known !== null && known > config.satisfactionThreshold;
  const isNeutral = known !== null && !isFrustrated && !isSatisfied;
  const next = (now: boolean, before: number): number => (now ? before + 1 : known === null ? before : 0);
  const isConfused = config.seedTable ? isNeutral : (confused ?? 0) >= 0.5;
  return {
    consecutiveFrustration: next(isFrustrated, record.consecutiveFrustration),
    consecutiveSatisfaction: next(isSatisfied, record.consecutiveSatisfaction),
    consecutiveNeutral: next(isNeutral, record.consecutiveNeutral),
    consecutiveConfusion: isConfused ? record.consecutiveConfusion + 1 : 0,
  };
}

const MOST_COUNTED = 50;

function countLength(record: SentimentRecord, length: number): Pick<SentimentRecord, 'recentLengths' | 'usualLength' | 'usualCount'> {
  const all = [...record.recentLengths, length];
  const leaving = all.length > RECENT_LENGTHS ? all[0] : undefined;
  if (leaving === undefined) return { recentLengths: all, usualLength: record.usualLength, usualCount: record.usualCount };
  const usualCount = Math.min(MOST_COUNTED, record.usualCount + 1);
  return {
    recentLengths: all.slice(1),
    usualLength: record.usualLength + (leaving - record.usualLength) / usualCount,
    usualCount,
  };
}
