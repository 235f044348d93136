import { GMIEventType } from '@x/core';
import { excerpt } from './excerpt.js';
import type { FoundEvent } from './found-event.js';
import type { SentimentRecord } from './sentiment-record.js';
import type { TrackingConfig } from './tracking-config.js';
import type { TurnReading } from './turn-reading.js';

/** The seed's list, matched as substrings: `explain` also fires on "please explain". */
export const SEED_CONFUSION_PHRASES = [
  'confused',
  "don't understand",
  'dont understand',
  'unclear',
  'what do you mean',
  'explain',
  'clarify',
  'huh',
  '??',
  "doesn't make sense",
  'doesnt make sense',
  'not sure',
] as const;

/** How many ERROR entries the seed wants among how many of the newest trace entries. */
export const SEED_ERRORS = { least: 2, entries: 10 } as const;
const SEED_ENGAGEMENT = { neutralTurns: 4, messages: 5, belowChars: 50 } as const;

export interface SeedFacts {
  readonly text: string;
  /** ERROR entries among the last ten of the trace. */
  readonly errors: number;
  /** Lengths of the user messages among the last five messages, this one included. */
  readonly lengths: readonly number[];
}

/** The seed's event table to the letter, faults included: for `method: 'lexicon_based'` and `compat: true`. */
export function seedEvents(
  reading: TurnReading,
  record: SentimentRecord,
  { text, errors, lengths }: SeedFacts,
  config: TrackingConfig,
): readonly FoundEvent[] {
  const found: FoundEvent[] = [];
  const score = reading.score ?? 0;
  const { consecutiveFrustration, consecutiveConfusion, consecutiveSatisfaction } = record;
  const scored = (consecutiveTurns: number) => ({
    sentimentScore: score,
    sentimentPolarity: reading.polarity,
    sentimentIntensity: reading.intensity,
    consecutiveTurns,
    triggeredBy: 'sentiment',
  });
  if ((score < config.frustrationThreshold && reading.intensity > 0.6) || consecutiveFrustration >= config.consecutiveTurnsForTrigger) {
    const severity = consecutiveFrustration >= 2 ? 'high' : 'medium';
    found.push({ eventType: GMIEventType.USER_FRUSTRATED, severity, metadata: scored(consecutiveFrustration) });
  }
  const lower = text.toLowerCase();
  const keywords = SEED_CONFUSION_PHRASES.filter((phrase) => lower.includes(phrase));
  if (keywords.length > 0 || (reading.polarity === 'neutral' && reading.negativeTokens > 2)) {
    found.push({
      eventType: GMIEventType.USER_CONFUSED,
      severity: consecutiveConfusion >= 2 ? 'high' : 'medium',
      metadata: {
        triggeredBy: keywords.length > 0 ? 'keyword' : 'sentiment',
        consecutiveTurns: consecutiveConfusion,
        evidencePreview: excerpt(text, 100),
        triggerKeywords: keywords,
      },
    });
  }
  if (
    (score > config.satisfactionThreshold && reading.intensity > 0.5) ||
    consecutiveSatisfaction >= config.consecutiveTurnsForTrigger + 1
  ) {
    found.push({ eventType: GMIEventType.USER_SATISFIED, severity: 'low', metadata: scored(consecutiveSatisfaction) });
  }
  if (errors >= SEED_ERRORS.least) found.push(errorsEvent(errors));
  const mean = lengths.length === 0 ? 0 : lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  if (consecutiveConfusion >= SEED_ENGAGEMENT.neutralTurns && lengths.length > 0 && mean < SEED_ENGAGEMENT.belowChars) {
    found.push({
      eventType: GMIEventType.LOW_ENGAGEMENT,
      severity: 'medium',
      metadata: {
        consecutiveTurns: consecutiveConfusion,
        evidencePreview: `mean length ${mean.toFixed(1)} characters`,
        triggeredBy: 'pattern',
      },
    });
  }
  return found;
}

/** How many messages back the seed looks for short user messages. */
export const SEED_ENGAGEMENT_MESSAGES: number = SEED_ENGAGEMENT.messages;

export function errorsEvent(errors: number): FoundEvent {
  return {
    eventType: GMIEventType.ERROR_THRESHOLD_EXCEEDED,
    severity: 'high',
    metadata: { errorCount: errors, consecutiveTurns: errors, triggeredBy: 'error' },
  };
}
