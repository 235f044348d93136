import { type Batch, type BatchWork, type Clock, type IPersonaDefinition, KEYS, systemClock, toJson } from '@x/core';
import { allowedMoodsOf, applyOutcome } from './apply-outcome.js';
import { type Asked, askModel } from './ask-model.js';
import type { Triggered } from './check-definitions.js';
import { type JsonSchema, narrowMoods, updatesSchema, withEvidence } from './output-schema.js';
import { localHandlerOf } from './presets.js';
import { renderTemplate, templateOf } from './render-template.js';
import { addUsage, estimateCost, MAX_OUTPUT_TOKENS, readUsage, type TokenPrices } from './usage.js';
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
  /** Refuses imprints of a model that do not name the user's messages they rest on. Default false: the seed's replies name none. */
  readonly imprintEvidence?: boolean | undefined;
}

/** Milliseconds after which a metaprompt is given up, unless the host says otherwise: below the 120 s of a whole batch. */
export const RUN_TIMEOUT_MS = 100_000;

const EVIDENCE_RULE =
  'Each imprint names in "evidence" the ids of the messages it rests on. Only messages of the role user count; what the assistant said proves nothing.';

interface Done {
  readonly definition: Triggered;
  readonly because: string;
  readonly outcome: Asked;
  /** True when no model was asked. */
  readonly local: boolean;
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
    found.map(async ({ definition, because }): Promise<Done> => {
      const handler = options.mode === 'local' || definition.mode === 'local' ? localHandlerOf(definition) : undefined;
      const outcome = await runOne(definition, handler, batch, work, options);
      return { definition, because, outcome, local: handler !== undefined };
    }),
  );
  work.signal.throwIfAborted();
  for (const { definition, because, outcome, local } of done) {
    const evidence = options.imprintEvidence && !local ? userMessages(work) : undefined;
    applyOutcome({ id: definition.id, because, outcome }, work, { allowedMoods: allowedMoodsOf(options.persona.moodAdaptation), evidence });
  }
  const used = done.filter(({ outcome }) => outcome.calls > 0).map(({ outcome }) => outcome);
  if (used.length === 0) return;
  const usage = used.reduce((sum, run) => addUsage(sum, run, work.atMs), readUsage(work.state.values));
  work.apply({ put: KEYS.metapromptUsage, value: { ...usage } }, 'tokens used');
}

async function runOne(
  definition: Triggered,
  handler: Triggered['handler'],
  batch: Batch,
  work: BatchWork,
  options: RunBatchOptions,
): Promise<Asked> {
  const { trigger } = definition;
  const events = (batch.events ?? []).filter((event) => trigger.type !== 'event_based' || event.eventType === trigger.eventName);
  const evidence: Evidence = { state: work.state, history: work.history, traceLog: work.traceLog, events };
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
      prompt: options.imprintEvidence ? `${prompt}\n${EVIDENCE_RULE}` : prompt,
      schema: schemaOf(definition, options),
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
function schemaOf({ outputSchema }: Triggered, { persona, imprintEvidence }: RunBatchOptions): JsonSchema {
  const wanted = outputSchema && Object.keys(outputSchema).length > 0 ? outputSchema : updatesSchema();
  const narrowed = narrowMoods(wanted, allowedMoodsOf(persona.moodAdaptation));
  return imprintEvidence ? withEvidence(narrowed) : narrowed;
}

function userMessages({ history }: BatchWork): ReadonlySet<string> {
  return new Set(history.filter(({ origin }) => origin === 'user').map(({ id }) => id));
}
