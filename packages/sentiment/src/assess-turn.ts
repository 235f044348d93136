import type { GMIEvent } from '@x/core';
import { advanceRecord, type TurnFacts } from './advance-record.js';
import { affectEvents } from './affect-events.js';
import { type AffectState, mixAffect } from './affect-state.js';
import { type EventEdges, passEdges } from './event-edges.js';
import { seedEvents } from './seed-events.js';
import type { SentimentRecord } from './sentiment-record.js';
import type { TrackingConfig } from './tracking-config.js';
import type { TurnReading } from './turn-reading.js';

/** What is known of a lane before the turn. */
export interface AssessmentState {
  readonly record: SentimentRecord;
  readonly edges: EventEdges;
  readonly affect: AffectState | undefined;
}

export interface AssessmentFacts extends TurnFacts {
  /** ERROR entries as {@link countErrors} counts them for this configuration. */
  readonly errors: number;
  /** Lengths of the user messages among the last five messages, this one included; only the seed's table reads them. */
  readonly lengths: readonly number[];
  readonly halfLifeMs?: number | undefined;
}

export interface Assessment {
  readonly record: SentimentRecord;
  readonly edges: EventEdges;
  readonly affect: AffectState;
  /** Events to raise now. */
  readonly raised: readonly Pick<GMIEvent, 'eventType' | 'severity' | 'metadata'>[];
}

/** Counts a scored turn and finds the events to raise; pure. A turn that was assessed before yields nothing new. */
export function assessTurn(
  reading: TurnReading,
  { record, edges, affect }: AssessmentState,
  facts: AssessmentFacts,
  config: TrackingConfig,
): Assessment | undefined {
  const next = advanceRecord(record, reading, facts, config);
  if (next === record) return undefined;
  const found = config.seedTable ? seedEvents(reading, next, facts, config) : affectEvents(reading, next, facts.errors, config);
  const passed = passEdges(found, edges, next.userTurns, config.cooldownTurns);
  return { record: next, edges: passed.edges, affect: mixAffect(affect, reading, facts.atMs, facts.halfLifeMs), raised: passed.raised };
}
