import {
  type Batch,
  type BatchWork,
  type Clock,
  type IPersonaDefinition,
  KEYS,
  type MoodAdaptation,
  type Operation,
  systemClock,
  toJson,
} from '@x/core';
import { type Asked, askModel } from './ask-model.js';
import type { Triggered } from './check-definitions.js';
import { clip } from './fence.js';
import { moodSinceOf } from './mood-decay.js';
import { type JsonSchema, narrowMoods, updatesSchema } from './output-schema.js';
import { localHandlerOf } from './presets.js';
import { namesMood, readUpdates } from './read-updates.js';
import { renderTemplate, templateOf } from './render-template.js';
import { addUsage, estimateCost, MAX_OUTPUT_TOKENS, readUsage, type TokenPrices, TURNS_KEY } from './usage.js';
import { type Evidence, type EvidenceLimits, variableOf } from './variables.js';
import { withDeadline } from './with-deadline.js';

export interface RunBatchOptions {
  readonly persona: IPersonaDefinition;
  readonly definitions: readonly Triggered[];
  /** Runs every metaprompt that has a local handler without a model. */
  readonly mode?: 'llm' | 'local' | undefined;
  readonly clock?: Clock | undefined;
  /** Milliseconds that one metaprompt may take, repair included; default 100,000. */
  readonly timeoutMs?: number | undefined;
  readonly limits?: EvidenceLimits | undefined;
  readonly prices?: TokenPrices | undefined;
}

/** Milliseconds after which a metaprompt is given up, unless the host says otherwise: below the 120 s of a whole batch. */
export const RUN_TIMEOUT_MS = 100_000;

interface Done {
  readonly definition: Triggered;
  readonly because: string;
  readonly outcome: Asked;
}

/**
 * Runs the metaprompts of one batch side by side, and applies what they reply in the order in which they were woken.
 * Every reply is in and judged before the first change is made.
 *
 * @throws `work.signal.reason` when aborted: then nothing was applied and the batch is still to do. Whatever else goes
 * wrong with a metaprompt is an ERROR in the trace and leaves the others alone.
 */
export async function runMetapromptBatch(batch: Batch, work: BatchWork, options: RunBatchOptions): Promise<void> {
  const found = batch.items.flatMap(({ id, because }) => {
    const definition = options.definitions.find((one) => one.id === id);
    if (!definition) work.trace({ type: 'WARNING', message: `Metaprompt ${id} is not defined any more; its run is dropped.` });
    return definition ? [{ definition, because }] : [];
  });
  const done = await Promise.all(
    found.map(
      async ({ definition, because }): Promise<Done> => ({ definition, because, outcome: await runOne(definition, batch, work, options) }),
    ),
  );
  work.signal.throwIfAborted();
  for (const one of done) applyOutcome(one, work, options.persona);
  const used = done.filter(({ outcome }) => outcome.calls > 0).map(({ outcome }) => outcome);
  if (used.length === 0) return;
  const usage = used.reduce((sum, run) => addUsage(sum, run, work.atMs), readUsage(work.state.values));
  work.apply({ put: KEYS.metapromptUsage, value: { ...usage } }, 'tokens used');
}

async function runOne(definition: Triggered, batch: Batch, work: BatchWork, options: RunBatchOptions): Promise<Asked> {
  const { trigger } = definition;
  const events = (batch.events ?? []).filter((event) => trigger.type !== 'event_based' || event.eventType === trigger.eventName);
  const evidence: Evidence = { state: work.state, history: work.history, traceLog: work.traceLog, events };
  const handler = options.mode === 'local' || definition.mode === 'local' ? localHandlerOf(definition) : undefined;
  const none = { calls: 0, inputTokens: 0, outputTokens: 0 };
  if (handler) {
    try {
      const updates = handler({ state: work.state, events, history: work.history });
      return { ok: true, value: { ...updates }, ...none };
    } catch (error) {
      return { ok: false, reason: 'handler_failed', problem: error instanceof Error ? error.name : 'unknown error', ...none };
    }
  }
  if (definition.mode === 'local')
    return { ok: false, reason: 'handler_missing', problem: 'mode is local, but there is no handler', ...none };
  return withDeadline((signal) => ask(definition, evidence, work, options, signal), {
    signal: work.signal,
    clock: options.clock ?? systemClock,
    timeoutMs: options.timeoutMs ?? RUN_TIMEOUT_MS,
    late: (): Asked => ({
      ok: false,
      reason: 'timed_out',
      problem: `no answer within ${options.timeoutMs ?? RUN_TIMEOUT_MS} ms`,
      ...none,
      calls: 1,
    }),
  });
}

async function ask(
  definition: Triggered,
  evidence: Evidence,
  work: BatchWork,
  options: RunBatchOptions,
  signal: AbortSignal,
): Promise<Asked> {
  const { persona } = options;
  const prompt = renderTemplate(templateOf(definition), (name) => variableOf(name, definition.id, evidence, options.limits));
  const estimate = estimateCost(definition, { prompt, prices: options.prices });
  work.trace({ type: 'DEBUG', message: `Metaprompt ${definition.id} asks a model.`, details: toJson(estimate) });
  try {
    const model = work.resolveModel({
      providerId: definition.providerId ?? persona.defaultProviderId,
      modelId: definition.modelId ?? persona.defaultModelId,
    });
    return await askModel({
      model,
      prompt,
      schema: schemaOf(definition, persona),
      maxOutputTokens: definition.maxOutputTokens ?? MAX_OUTPUT_TOKENS,
      temperature: definition.temperature ?? 0.3,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    const code = (error as { readonly code?: unknown }).code;
    const problem = typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown error';
    return { ok: false, reason: 'model_unavailable', problem, calls: 0, inputTokens: 0, outputTokens: 0 };
  }
}

/** What the reply has to fit: the definition's schema, else the general one, with only the moods that the persona allows. */
export function schemaOf({ outputSchema }: Triggered, { moodAdaptation }: IPersonaDefinition): JsonSchema {
  const wanted = outputSchema && Object.keys(outputSchema).length > 0 ? outputSchema : updatesSchema();
  return narrowMoods(wanted, allowedMoodsOf(moodAdaptation));
}

/** Moods that metaprompts may choose; `undefined` for all. A persona whose mood does not adapt allows none. */
export function allowedMoodsOf(adaptation: MoodAdaptation | undefined): readonly string[] | undefined {
  return adaptation?.enabled === false ? [] : adaptation?.allowedMoods;
}

function applyOutcome({ definition: { id }, because, outcome }: Done, work: BatchWork, persona: IPersonaDefinition): void {
  if (!outcome.ok) {
    const { reason, problem, calls } = outcome;
    work.trace({
      type: 'ERROR',
      message: `Metaprompt ${id} changed nothing: ${reason}.`,
      details: { metaprompt: id, because, reason, problem, calls },
    });
    return;
  }
  const before = work.state;
  const { operations, refusals, rationale } = readUpdates(outcome.value, before, { allowedMoods: allowedMoodsOf(persona.moodAdaptation) });
  for (const { field, reason } of refusals)
    work.trace({ type: 'WARNING', message: `Metaprompt ${id}: ${field} was refused.`, details: { metaprompt: id, field, reason } });
  const why = clip(rationale === '' ? `${id} (${because})` : `${id} (${because}): ${rationale}`, 240);
  for (const operation of [...operations, ...renewal(outcome.value, operations, work)]) work.apply(operation, why);
  if (operations.length === 0) {
    work.trace({ type: 'DEBUG', message: `Metaprompt ${id} found nothing to change.`, details: { metaprompt: id, because } });
    return;
  }
  const { mood, skill, complexity } = work.state;
  work.trace({
    type: 'STATE_CHANGE',
    message: `Metaprompt ${id} changed the state.`,
    details: {
      metaprompt: id,
      because,
      ...(mood !== before.mood && { newMood: mood }),
      ...(skill !== before.skill && { newUserSkill: skill }),
      ...(complexity !== before.complexity && { newTaskComplexity: complexity }),
      imprints: operations.flatMap((operation) => ('imprint' in operation ? [operation.imprint] : [])),
      rationale,
    },
  });
}

/** A mood that was named starts to age anew, whether it is a new one or the old one again. */
function renewal(reply: { readonly [field: string]: unknown }, operations: readonly Operation[], work: BatchWork): readonly Operation[] {
  const set = operations.find((operation) => 'set' in operation && operation.set === 'mood');
  const mood = set && 'to' in set ? set.to : namesMood(reply, work.state.mood) ? work.state.mood : undefined;
  return mood === undefined ? [] : [{ put: KEYS.moodSince, value: moodSinceOf(mood, work.state.values[TURNS_KEY], work.atMs) }];
}
