import {
  type Clock,
  type GMIEvent,
  type IPersonaDefinition,
  type IUtilityAI,
  type IWorkingMemory,
  KEYS,
  systemClock,
  type TraceEntry,
  toJson,
  type UserContext,
  withDeadline,
} from '@x/core';
import { readAffect } from './affect-state.js';
import { assessTurn } from './assess-turn.js';
import { contextTurns, type HeardMessage, isGenuine, textOfHeard } from './context-turns.js';
import { countErrors } from './count-errors.js';
import { readEdges } from './event-edges.js';
import { nameOfError } from './name-of-error.js';
import { SEED_ENGAGEMENT_MESSAGES } from './seed-events.js';
import { readRecord } from './sentiment-record.js';
import type { AffectOptions } from './statistical-utility.js';
import { ANALYSER_TIMEOUT_MS, resolveTracking } from './tracking-config.js';
import { readResult } from './turn-reading.js';

/** How many full events the tracker keeps. */
const EVENTS_KEPT = 20;

/**
 * The seed's tracker over a working memory, for hosts that run their own loop; a Session uses `sentimentHook`.
 *
 * The arguments are the seed's, in the seed's order; the history may or may not end with the message that is scored.
 * `analyzeTurnSentiment` never rejects: a failure, or an analyser that takes longer than ten seconds, is a WARNING.
 */
export class SentimentTracker {
  /** Events that nobody has taken yet. */
  readonly pendingEvents = new Set<string>();
  readonly #events: GMIEvent[] = [];

  constructor(
    private readonly utilityAI: Pick<IUtilityAI, 'analyzeSentiment'>,
    private readonly workingMemory: Pick<IWorkingMemory, 'get' | 'set'>,
    private readonly getPersona: () => Pick<
      IPersonaDefinition,
      'sentimentTracking' | 'defaultLanguage' | 'defaultModelId' | 'defaultProviderId'
    >,
    private readonly getHistory: () => readonly HeardMessage[],
    private readonly getTraceEntries: () => readonly { readonly type: string; readonly turn?: string | undefined }[],
    private readonly getUserContext: () => UserContext,
    private readonly setUserContext: (context: UserContext) => void | Promise<void>,
    private readonly addTrace: (type: TraceEntry['type'], message: string, details?: { readonly [key: string]: unknown }) => void = () =>
      undefined,
    readonly getGmiId: () => string = () => 'gmi',
    private readonly clock: Pick<Clock, 'now'> & Partial<Clock> = systemClock,
  ) {}

  /** The last 20 events, oldest first. */
  get events(): readonly GMIEvent[] {
    return this.#events;
  }

  /** Takes all pending events. */
  consumePendingEvents(): ReadonlySet<string> {
    const taken = new Set(this.pendingEvents);
    this.pendingEvents.clear();
    return taken;
  }

  /** Scores one user message, counts it and raises events; events of earlier turns that nobody took are dropped. */
  async analyzeTurnSentiment(turnId: string, text: string): Promise<void> {
    try {
      await this.#analyze(turnId, text);
    } catch (error) {
      this.addTrace('WARNING', 'The sentiment analyser failed; this turn is not scored.', {
        turnId,
        error: nameOfError(error),
      });
    }
  }

  async #analyze(turnId: string, text: string): Promise<void> {
    const persona = this.getPersona();
    const config = resolveTracking(persona.sentimentTracking ?? {});
    if (!config.enabled || text.trim() === '') return;
    const user = this.getUserContext();
    const asked: AffectOptions = {
      method: config.method,
      modelId: config.modelId ?? persona.defaultModelId,
      providerId: config.providerId ?? persona.defaultProviderId,
      language: user.language ?? persona.defaultLanguage,
    };
    const history = this.getHistory();
    const { setTimeout } = this.clock;
    const timer: Clock = setTimeout === undefined ? systemClock : { now: () => this.clock.now(), setTimeout: setTimeout.bind(this.clock) };
    const context = contextTurns(before(history, text));
    const result = await withDeadline((signal) => this.utilityAI.analyzeSentiment(text, { ...asked, context, signal } as AffectOptions), {
      clock: timer,
      timeoutMs: ANALYSER_TIMEOUT_MS,
    });
    const reading = readResult(result);
    const read = async (key: string) => this.workingMemory.get(key);
    const atMs = this.clock.now();
    const lengths = history
      .slice(-SEED_ENGAGEMENT_MESSAGES)
      .filter((message) => message.role === 'user')
      .map((message) => (typeof message.content === 'string' ? message.content.length : 0));
    const trace = this.getTraceEntries().map((entry) => ({ type: entry.type as TraceEntry['type'], turn: entry.turn ?? '' }));
    const assessment = assessTurn(
      reading,
      {
        record: readRecord(await read(KEYS.sentimentHistory)),
        edges: readEdges(await read(KEYS.eventCooldowns)),
        affect: readAffect(await read(KEYS.affect)),
      },
      {
        turnId,
        atMs,
        text,
        excerpts: false,
        errors: countErrors(trace, config.seedTable),
        lengths: lengths.length > 0 ? lengths : [text.length],
      },
      config,
    );
    if (assessment === undefined) return;
    const { record, edges, affect, raised } = assessment;
    await this.workingMemory.set(KEYS.sentimentHistory, toJson(record));
    await this.workingMemory.set(KEYS.eventCooldowns, toJson(edges));
    await this.workingMemory.set(KEYS.affect, toJson(affect));
    await this.setUserContext({ ...user, currentSentiment: reading.polarity });
    this.pendingEvents.clear();
    for (const event of raised) {
      this.pendingEvents.add(event.eventType);
      this.#events.push({ ...event, turnId, timestamp: new Date(atMs).toISOString() });
      if (this.#events.length > EVENTS_KEPT) this.#events.shift();
      this.addTrace('DEBUG', `Event ${event.eventType} was raised.`, { turnId, severity: event.severity });
    }
    this.addTrace('DEBUG', 'Sentiment of the user turn was scored.', {
      turnId,
      score: reading.score,
      polarity: reading.polarity,
      intensity: reading.intensity,
    });
  }
}

/** The history before the message that is scored, which some hosts add first. */
function before(history: readonly HeardMessage[], text: string): readonly HeardMessage[] {
  const last = history[history.length - 1];
  return last !== undefined && isGenuine(last) && textOfHeard(last) === text ? history.slice(0, -1) : history;
}
