import {
  type Clock,
  type ContextualPromptElement,
  type CountTokens,
  estimateTextTokens,
  InvalidArgumentError,
  type IPersonaDefinition,
  imprintEntries,
  type Json,
  KEYS,
  ownValue,
  type Parts,
  systemClock,
  type Turn,
  type TurnHook,
  textOf,
  withDeadline,
} from '@x/core';
import { checkLimits } from './check-limits.js';
import { nextTiming, readTiming } from './element-timing.js';
import { MatchContext, type Predicates } from './match-context.js';
import { prepareElements } from './prepare-elements.js';
import type { PromptExecutionContext, Report } from './prompt-context.js';
import { recentTexts } from './recent-texts.js';
import { renderElements } from './render-elements.js';
import { renderPersona } from './render-persona.js';
import { type ImprintOptions, type RetrievedItem, renderImprints, renderRetrieved } from './render-records.js';
import { renderState } from './render-state.js';
import { type ElementLimits, reportLeft, selectRanked } from './select-elements.js';
import { applyToolManifest, type ToolManifest } from './tool-manifest.js';

/** What {@link promptHook} reads of a persona. */
export type PromptPersona = Pick<
  IPersonaDefinition,
  'id' | 'name' | 'baseSystemPrompt' | 'hardLimits' | 'contextualPromptElements' | 'moodAdaptation' | 'strengths' | 'personalityTraits'
>;

type Found = string | readonly (string | RetrievedItem)[] | null | undefined;

export interface PromptHookOptions {
  readonly persona: PromptPersona;
  /** Put imprints into the prompt; default false. */
  readonly imprints?: boolean | ImprintOptions | undefined;
  /**
   * Finds text for this turn. A failure, or no answer in time, is a WARNING in the trace and the turn goes on without.
   * The signal is aborted with the turn and when the time is over.
   */
  readonly retrieve?: ((turn: Turn, options: { readonly signal: AbortSignal }) => Found | PromiseLike<Found>) | undefined;
  /** Milliseconds that `retrieve` may take; default 10,000. */
  readonly retrieveTimeoutMs?: number | undefined;
  /** Tokens for what `retrieve` finds; default 1,500. */
  readonly maxRetrievedTokens?: number | undefined;
  /** Tell the model the hour: true for UTC, or an IANA time zone. Default false. */
  readonly time?: boolean | { readonly timeZone: string } | undefined;
  readonly predicates?: Predicates | undefined;
  /** Limits of the elements that depend on the turn; default 10 elements. */
  readonly limits?: ElementLimits | undefined;
  /** Limits of the elements that are always there; default none. */
  readonly stableLimits?: ElementLimits | undefined;
  /** User turns after which the persona is named again near the end of the request; 0 for never. Default 25. */
  readonly anchorEveryTurns?: number | undefined;
  /** Seed of `probability` in text criteria. Default `''`. */
  readonly seed?: string | undefined;
  readonly toolManifest?: ToolManifest | undefined;
  readonly clock?: Clock | undefined;
  /** Default the estimate of core. */
  readonly countTokens?: CountTokens | undefined;
}

const DEFAULT_MAX_ELEMENTS = 10;
/** Ours: a search that takes longer keeps a person waiting for what may not help. */
const RETRIEVE_TIMEOUT_MS = 10_000;

/**
 * The prompt of a persona, once per turn: what never changes in a session goes to the stable slot, what follows from
 * state to the volatile one.
 *
 * Stable parts: `system` (base prompt, order of precedence), `elements` (those that are always there), `limits`.
 * Volatile parts: `state`, `elements`, `imprints`, `retrieved`, `time`, and every 25 user turns `anchor`.
 *
 * @throws {@link ElementInvalidError}, {@link CriteriaInvalidError}, {@link PatternUnsafeError},
 * {@link TemplateInvalidError} at once, for a persona that cannot be read. {@link InvalidArgumentError} no persona, or a
 * limit that is no number.
 */
export function promptHook(options: PromptHookOptions): TurnHook {
  const { persona, predicates = {}, countTokens = estimateTextTokens, toolManifest, stableLimits = {} } = options;
  if (typeof persona !== 'object' || persona === null) throw new InvalidArgumentError('promptHook needs a persona');
  checkLimits(options);
  const limits = { maxElements: DEFAULT_MAX_ELEMENTS, ...options.limits };
  const elements: readonly ContextualPromptElement[] = persona.contextualPromptElements ?? [];
  const prepared = prepareElements(elements, { predicates: new Set(Object.keys(predicates)), countTokens, stableLimits });
  const stable = withoutEmpty({ ...renderPersona(persona), elements: prepared.stableText });
  const tellHour = createHourTeller(options.time ?? false);

  return {
    name: 'prompt',
    borrows: options.retrieve === undefined, // a host's function may keep the turn that it is given
    compose(turn) {
      const report: Report = (code, severity, message, details) =>
        turn.trace({ type: severity === 'info' ? 'DEBUG' : 'WARNING', message, details: { code, ...details } });
      if (turn.layout.history.length === 0) reportLeft(prepared.always, report);
      const context = contextOf(turn, options, prepared.scanDepth);
      const read = new MatchContext(context, predicates, report);
      const selection = selectRanked(prepared.candidates(read), read, limits, undefined, prepared.takenGroups);
      reportLeft(selection, report);
      keepTiming(turn, context, selection.chosen);
      const state = renderState(read, persona, report);
      const chosen = renderElements(selection.chosen);
      const imprints = imprintsOf(turn, options, countTokens, report);
      const time = tellHour(turn.atMs);
      const anchor = anchorOf(persona, context.turn ?? 0, options.anchorEveryTurns ?? 25);
      const partsWith = (retrieved: string) => ({
        stable,
        volatile: withoutEmpty({ state, elements: chosen, imprints, retrieved, time, anchor }),
      });
      // Without a search there is nothing to wait for.
      return options.retrieve === undefined ? partsWith('') : retrievedFor(turn, options, countTokens, report).then(partsWith);
    },
    ...(toolManifest && {
      beforeLLM: ({ tools, model }) => {
        const kept = applyToolManifest(tools, toolManifest, { personaId: persona.id, modelId: model }).tools;
        return kept.length === tools.length ? undefined : { tools: kept };
      },
    }),
  };
}

/** Without parts that say nothing: they would take the place of another hook's. */
function withoutEmpty(parts: Parts): Parts {
  const said: Record<string, string> = {};
  for (const part in parts) if (parts[part]) said[part] = parts[part];
  return said;
}

function contextOf(turn: Turn, { persona, seed = '' }: PromptHookOptions, depth: number): PromptExecutionContext {
  const { state } = turn;
  const before = numberAt(state.values, KEYS.turnCount) ?? 0;
  const user = state.values[KEYS.user] as { readonly preferences?: PromptExecutionContext['userPreferences'] } | undefined | null;
  return {
    currentMood: state.mood,
    userSkillLevel: state.skill,
    taskHint: state.domain ?? persona.strengths?.[0],
    taskComplexity: state.complexity,
    language: state.language,
    conversationSignals: turn.signals,
    sentimentScore: lastScore(state.values[KEYS.sentimentHistory]),
    turn: before + (turn.origin === 'user' ? 1 : 0),
    traits: { ...persona.personalityTraits, ...state.traits },
    recentTexts: recentTexts(turn.layout.history, textOf(turn.input), depth),
    elementTiming: readTiming(state.values[KEYS.elementTiming]),
    seed: `${seed}\n${turn.lane}`,
    userPreferences: user?.preferences,
  };
}

function keepTiming(turn: Turn, context: PromptExecutionContext, chosen: Parameters<typeof nextTiming>[1]): void {
  const timing = context.elementTiming ?? {};
  const next = nextTiming(timing, chosen, context.turn ?? 0);
  if (next !== timing) turn.apply({ put: KEYS.elementTiming, value: next }, 'elements began or ended to stick or to rest');
}

function imprintsOf(turn: Turn, { imprints }: PromptHookOptions, countTokens: CountTokens, report: Report): string {
  if (imprints === undefined || imprints === false) return '';
  return renderImprints(imprintEntries(turn.state), imprints === true ? {} : imprints, countTokens, report);
}

async function retrievedFor(
  turn: Turn,
  { retrieve, retrieveTimeoutMs = RETRIEVE_TIMEOUT_MS, maxRetrievedTokens = 1500, clock = systemClock }: PromptHookOptions,
  countTokens: CountTokens,
  report: Report,
): Promise<string> {
  if (retrieve === undefined) return '';
  try {
    const limits = { signal: turn.signal, clock, timeoutMs: retrieveTimeoutMs };
    const found = await withDeadline((signal) => retrieve(turn, { signal }), limits);
    return renderRetrieved(found ?? '', maxRetrievedTokens, countTokens, report).text;
  } catch (error) {
    if (turn.signal.aborted) throw turn.signal.reason;
    const name = error instanceof Error ? error.name : typeof error;
    report('retrieve_failed', 'warning', 'retrieve failed; this turn has no retrieved text.', { error: name });
    return '';
  }
}

/** What tells the hour, once for all turns: a formatter costs more to make than to use. */
function createHourTeller(time: NonNullable<PromptHookOptions['time']>): (atMs: number) => string {
  if (time === false) return () => '';
  const timeZone = time === true ? 'UTC' : time.timeZone;
  try {
    const hour = new Intl.DateTimeFormat('en-GB', {
      weekday: 'long',
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      hour: '2-digit',
      hourCycle: 'h23',
      timeZone,
    });
    const offset = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' });
    return (atMs) => {
      // When clocks are set back, one hour comes twice; its distance from UTC tells which it is.
      const zone = time === true ? timeZone : `${timeZone}, UTC${offset.format(atMs).split('GMT')[1] || '+00:00'}`;
      return `It is about ${hour.format(atMs)} o'clock (${zone}).`;
    };
  } catch {
    throw new InvalidArgumentError('time.timeZone must be the IANA name of a time zone, such as Europe/Vienna');
  }
}

function anchorOf({ id, name }: PromptPersona, turn: number, every: number): string {
  if (every <= 0 || turn < every) return '';
  // A name that is only the id was given by nobody, and may contradict the prompt.
  const who = name === id ? 'who the head of this prompt says you are' : name;
  return `Turn ${turn - (turn % every)} of this talk: you are still ${who}, and all that stands at the head of it still holds.`;
}

function lastScore(record: Json | undefined): number | null | undefined {
  const trends = (record as { readonly trends?: Json } | null | undefined)?.trends;
  const last = Array.isArray(trends) ? (trends.at(-1) as { readonly score?: Json } | undefined) : undefined;
  return typeof last?.score === 'number' ? last.score : undefined;
}

function numberAt(values: { readonly [key: string]: Json }, key: string): number | undefined {
  const value = ownValue(values, key);
  return typeof value === 'number' ? value : undefined;
}
