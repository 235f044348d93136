import { GMIEventType } from '@x/core';
import type { FoundEvent } from './found-event.js';
import { errorsEvent } from './seed-events.js';
import { RECENT_LENGTHS, type SentimentRecord } from './sentiment-record.js';
import type { TrackingConfig } from './tracking-config.js';
import type { TurnReading } from './turn-reading.js';

/** From how much intensity one turn alone may raise an event; below it a run of turns must. The seed's figures. */
const ALONE = { frustrated: 0.6, satisfied: 0.5 } as const;
/** How sure a reading must be to raise an event alone; a sarcastic line on its own stays below. Ours. */
const LEAST_CONFIDENCE = 0.5;
/** ERROR entries of the last two turns. Ours; the seed looked at ten entries, which one tool call can fill. */
export const ERROR_TURNS = 2;
const LEAST_ERRORS = 2;
/** A person is less engaged than usual below this share of the own usual length. Ours. */
const ENGAGEMENT = { neutralTurns: 4, share: 0.4, leastUsualChars: 40, leastUsualCount: 3 } as const;

/**
 * The events that a turn meets the condition of.
 *
 * Frustration and satisfaction ask for the seed's condition and, where the analyser gives one, for a probability of at
 * least 0.5; anger at someone else is not frustration with the agent. Confusion asks for its probability alone.
 * Low engagement compares with the person's own habit: terse people are not bored people.
 */
export function affectEvents(reading: TurnReading, record: SentimentRecord, errors: number, config: TrackingConfig): readonly FoundEvent[] {
  const found: FoundEvent[] = [];
  const { score, intensity, confidence } = reading;
  const { consecutiveFrustration, consecutiveConfusion, consecutiveSatisfaction, consecutiveNeutral } = record;
  const isSure = confidence >= LEAST_CONFIDENCE;
  const scored = (consecutiveTurns: number, probability: number | undefined) => ({
    sentimentScore: score,
    sentimentPolarity: reading.polarity,
    sentimentIntensity: intensity,
    confidence,
    ...(probability !== undefined && { probability }),
    consecutiveTurns,
    triggeredBy: 'sentiment',
  });
  const likely = (probability: number | undefined): boolean => probability === undefined || probability >= 0.5;

  const angryAlone = score !== null && score < config.frustrationThreshold && intensity > ALONE.frustrated && isSure;
  if (
    (angryAlone || consecutiveFrustration >= config.consecutiveTurnsForTrigger) &&
    likely(reading.frustrated) &&
    reading.target !== 'other'
  ) {
    const severity = consecutiveFrustration >= 2 ? 'high' : 'medium';
    found.push({ eventType: GMIEventType.USER_FRUSTRATED, severity, metadata: scored(consecutiveFrustration, reading.frustrated) });
  }
  if (reading.confused !== undefined && reading.confused >= 0.5) {
    const severity = consecutiveConfusion >= 2 ? 'high' : 'medium';
    found.push({ eventType: GMIEventType.USER_CONFUSED, severity, metadata: scored(consecutiveConfusion, reading.confused) });
  }
  const pleasedAlone = score !== null && score > config.satisfactionThreshold && intensity > ALONE.satisfied && isSure;
  if ((pleasedAlone || consecutiveSatisfaction >= config.consecutiveTurnsForTrigger + 1) && likely(reading.satisfied)) {
    found.push({ eventType: GMIEventType.USER_SATISFIED, severity: 'low', metadata: scored(consecutiveSatisfaction, reading.satisfied) });
  }
  if (errors >= LEAST_ERRORS) found.push(errorsEvent(errors));
  if (consecutiveNeutral >= ENGAGEMENT.neutralTurns && isShorterThanUsual(record)) {
    found.push({
      eventType: GMIEventType.LOW_ENGAGEMENT,
      severity: 'medium',
      metadata: {
        consecutiveTurns: consecutiveNeutral,
        usualChars: Math.round(record.usualLength),
        recentChars: Math.round(mean(record.recentLengths)),
        triggeredBy: 'pattern',
      },
    });
  }
  return found;
}

function isShorterThanUsual({ recentLengths, usualLength, usualCount }: SentimentRecord): boolean {
  return (
    recentLengths.length === RECENT_LENGTHS &&
    usualCount >= ENGAGEMENT.leastUsualCount &&
    usualLength >= ENGAGEMENT.leastUsualChars &&
    mean(recentLengths) < ENGAGEMENT.share * usualLength
  );
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}
