import {
  type Clock,
  type GMIEvent,
  GMIEventType,
  type IUtilityAI,
  type Json,
  jsonObject,
  KEYS,
  type Layout,
  type SentimentResult,
  type SentimentTrackingConfig,
  systemClock,
  type Turn,
  type TurnHook,
  textOf,
  withDeadline,
} from '@x/core';
import { readAffect } from './affect-state.js';
import { assessTurn } from './assess-turn.js';
import { contextTurns } from './context-turns.js';
import { countErrors } from './count-errors.js';
import { detectTextLanguage } from './detect-text-language.js';
import { readEdges } from './event-edges.js';
import { nameOfError } from './name-of-error.js';
import { SEED_ENGAGEMENT_MESSAGES } from './seed-events.js';
import { readRecord } from './sentiment-record.js';
import { type AffectOptions, StatisticalUtilityAI } from './statistical-utility.js';
import { ANALYSER_TIMEOUT_MS, resolveTracking, type TrackingConfig } from './tracking-config.js';
import { readResult } from './turn-reading.js';

export interface SentimentHookOptions extends SentimentTrackingConfig {
  /** Default true here: asking for the hook is the switch. */
  readonly enabled?: boolean | undefined;
  /** Who scores. Default a `StatisticalUtilityAI`: no model call. */
  readonly utilityAI?: Pick<IUtilityAI, 'analyzeSentiment'> | undefined;
  /** BCP 47; for messages whose language cannot be told. */
  readonly defaultLanguage?: string | undefined;
  /** Keep the first 100 characters of each message in the history. Default false. */
  readonly excerpts?: boolean | undefined;
  /** Milliseconds until half of a mood has faded. Default 3,600,000 (one hour); `Infinity` for no decay. */
  readonly halfLifeMs?: number | undefined;
  /** Milliseconds to wait for an analyser that calls a model. Default 10,000. */
  readonly timeoutMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** The five events that this hook raises, and takes away again when nobody acted on them. */
const OWN_EVENTS: readonly string[] = [
  GMIEventType.USER_FRUSTRATED,
  GMIEventType.USER_CONFUSED,
  GMIEventType.USER_SATISFIED,
  GMIEventType.ERROR_THRESHOLD_EXCEEDED,
  GMIEventType.LOW_ENGAGEMENT,
];
/** From here on the language of a message becomes the language of the lane; short or mixed messages stay below. Ours. */
const CERTAIN_LANGUAGE = 0.7;

/**
 * Scores each genuine user turn before the prompt is composed, counts runs, raises events and keeps the history.
 *
 * Only turns of origin `user` are read. An event that nobody acted on is gone at the next user turn. A failing or slow
 * analyser leaves a WARNING in the trace and the turn goes on unscored.
 *
 * @throws {@link InvalidArgumentError} at once, for options outside their range.
 */
export function sentimentHook(options: SentimentHookOptions = {}): TurnHook {
  const config = resolveTracking({ ...options, enabled: options.enabled ?? true });
  const utility = options.utilityAI ?? new StatisticalUtilityAI();
  return {
    name: 'sentiment',
    borrows: true,
    async beforeTurn(turn) {
      if (!config.enabled || turn.origin !== 'user') return;
      try {
        await scoreTurn(turn, config, utility, options);
      } catch (error) {
        if (turn.signal.aborted) throw turn.signal.reason;
        turn.trace({
          type: 'WARNING',
          message: 'The sentiment analyser failed; this turn is not scored.',
          details: { error: nameOfError(error) },
        });
      }
    },
  };
}

async function scoreTurn(
  turn: Turn,
  config: TrackingConfig,
  utility: Pick<IUtilityAI, 'analyzeSentiment'>,
  options: SentimentHookOptions,
): Promise<void> {
  const stale = turn.events.filter((event) => event.turnId !== turn.id && OWN_EVENTS.includes(event.eventType));
  if (stale.length > 0) turn.consume([...new Set(stale.map((event) => event.eventType))]);
  const text = textOf(turn.input);
  if (text.trim() === '') return;

  const spoken = detectTextLanguage(text);
  const isCertain = spoken.confidence >= CERTAIN_LANGUAGE && spoken.language !== 'und';
  if (isCertain && turn.state.language?.split('-')[0] !== spoken.language) {
    turn.apply({ set: 'language', to: spoken.language }, 'the user writes in it');
  }
  const asked: AffectOptions = {
    method: config.method,
    modelId: config.modelId,
    providerId: config.providerId,
    language: turn.state.language ?? options.defaultLanguage,
    context: contextTurns(turn.layout.history),
  };
  const analyse = (signal: AbortSignal): Promise<SentimentResult> => utility.analyzeSentiment(text, { signal, ...asked });
  const result = await (isOurs(utility)
    ? analyse(turn.signal)
    : withDeadline(analyse, {
        signal: turn.signal,
        clock: options.clock ?? systemClock,
        timeoutMs: options.timeoutMs ?? ANALYSER_TIMEOUT_MS,
      }));
  const reading = readResult(result);
  const { values } = turn.state;
  const before = readEdges(values[KEYS.eventCooldowns]);
  const assessment = assessTurn(
    reading,
    {
      record: readRecord(values[KEYS.sentimentHistory]),
      edges: before,
      affect: readAffect(values[KEYS.affect]),
    },
    {
      turnId: turn.id,
      atMs: turn.atMs,
      text,
      excerpts: options.excerpts ?? false,
      errors: countErrors(turn.traceLog, config.seedTable),
      lengths: lengthsOf(turn.layout, text),
      halfLifeMs: options.halfLifeMs,
    },
    config,
  );
  if (assessment === undefined) return;
  const { record, edges, affect, raised } = assessment;
  // What is applied is checked and copied there.
  const put = (key: string, value: unknown, why: string): void => turn.apply({ put: key, value: value as Json }, why);
  put(KEYS.sentimentHistory, record, 'this turn was scored');
  const user = jsonObject(values[KEYS.user]);
  if (user['currentSentiment'] !== reading.polarity)
    put(KEYS.user, { ...user, currentSentiment: reading.polarity }, 'this turn was scored');
  put(KEYS.affect, affect, 'this turn was scored');
  if (edges !== before) put(KEYS.eventCooldowns, edges, 'events and their cooldowns');
  for (const event of raised) turn.raise(event);
  turn.trace({
    type: 'DEBUG',
    message: 'Sentiment of the user turn was scored.',
    details: {
      score: reading.score,
      polarity: reading.polarity,
      intensity: reading.intensity,
      consecutiveFrustration: record.consecutiveFrustration,
      consecutiveConfusion: record.consecutiveConfusion,
      consecutiveSatisfaction: record.consecutiveSatisfaction,
      consecutiveNeutral: record.consecutiveNeutral,
      raised: raised.map((event: Pick<GMIEvent, 'eventType'>) => event.eventType),
    },
  });
}

/** Words and weights only: nothing in it waits, so that a time limit would be a timer for each turn and no more. */
function isOurs(utility: object): boolean {
  return Object.getPrototypeOf(utility) === StatisticalUtilityAI.prototype && !Object.hasOwn(utility, 'analyzeSentiment');
}

function lengthsOf({ history }: Layout, text: string): readonly number[] {
  const before = history.slice(-(SEED_ENGAGEMENT_MESSAGES - 1)).filter((message) => message.role === 'user' && message.origin === 'user');
  return [...before.map((message) => textOf(message).length), text.length];
}
