import {
  type Batch,
  type BatchWork,
  type Clock,
  type IPersonaDefinition,
  isAgentosError,
  KEYS,
  type Stored,
  systemClock,
  toJson,
  withDeadline,
} from '@x/core';
import { allowedMoodsOf, applyOutcome } from './apply-outcome.js';
import { type Asked, askModel, noneUsed, type Used } from './ask-model.js';
import { createAssistantAlone } from './assistant-alone.js';
import type { Triggered } from './check-definitions.js';
import { estimateCost, type TokenPrices } from './estimate-cost.js';
import { fillTemplate, templateOf } from './fill-template.js';
import { EVIDENCE_RULE, schemaFor } from './output-schema.js';
import { localHandlerOf, readsTalk } from './presets.js';
import { speakerIn, withoutStrangers } from './speaker.js';
import { addUsage, MAX_OUTPUT_TOKENS, readUsage } from './usage.js';
import { type Evidence, type EvidenceLimits, variableOf } from './variables.js';

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
  const speaker = speakerIn(batch);
  const talk = readOnce(() => (speaker === undefined ? work.history : withoutStrangers(work.history)));
  const done = await Promise.all(
    found.map(async ({ definition, because }): Promise<Done> => {
      const handler = options.mode === 'local' || definition.mode === 'local' ? localHandlerOf(definition) : undefined;
      const outcome = await runOne(definition, handler, { batch, talk, work }, options);
      return { definition, because, outcome, local: handler !== undefined };
    }),
  );
  work.signal.throwIfAborted();
  const assistantAlone = createAssistantAlone(talk);
  for (const { definition, because, outcome, local } of done) {
    const evidence = options.imprintEvidence && !local ? userMessages(talk()) : undefined;
    const allowedMoods = allowedMoodsOf(options.persona.moodAdaptation);
    applyOutcome({ id: definition.id, because, outcome }, work, {
      allowedMoods,
      evidence,
      assistantAlone: local ? undefined : assistantAlone,
      moodOnly: speaker === 'stranger',
    });
  }
  const used = done.filter(({ outcome }) => outcome.calls > 0).map(({ outcome }) => outcome);
  if (used.length === 0) return;
  const usage = used.reduce((sum, run) => addUsage(sum, run, work.atMs), readUsage(work.state.values));
  work.apply({ put: KEYS.metapromptUsage, value: { ...usage } }, 'tokens used');
}

async function runOne(
  definition: Triggered,
  handler: Triggered['handler'],
  { batch, talk, work }: { readonly batch: Batch; readonly talk: () => readonly Stored[]; readonly work: BatchWork },
  options: RunBatchOptions,
): Promise<Asked> {
  const { trigger } = definition;
  const events = (batch.events ?? []).filter((event) => trigger.type !== 'event_based' || event.eventType === trigger.eventName);
  const used = noneUsed();
  if (handler) {
    try {
      const updates = handler({ state: work.state, events, history: readsTalk(handler) ? talk() : [] });
      return { ok: true, value: { ...updates }, ...used };
    } catch (error) {
      return { ok: false, reason: 'handler_failed', problem: error instanceof Error ? error.name : 'unknown error', ...used };
    }
  }
  if (definition.mode === 'local')
    return { ok: false, reason: 'handler_missing', problem: 'mode is local, but there is no handler', ...used };
  const evidence: Evidence = { state: work.state, history: talk(), traceLog: work.traceLog, events };
  const timeoutMs = options.timeoutMs ?? RUN_TIMEOUT_MS;
  try {
    const limits = { signal: work.signal, clock: options.clock ?? systemClock, timeoutMs };
    return await withDeadline((signal) => ask(definition, evidence, work, options, { signal, used }), limits);
  } catch (error) {
    work.signal.throwIfAborted();
    if (!isAgentosError(error) || error.code !== 'deadline_passed') throw error;
    return { ok: false, reason: 'timed_out', problem: `no answer within ${timeoutMs} ms`, ...used };
  }
}

async function ask(
  definition: Triggered,
  evidence: Evidence,
  work: BatchWork,
  options: RunBatchOptions,
  { signal, used }: { readonly signal: AbortSignal; readonly used: Used },
): Promise<Asked> {
  const prompt = fillTemplate(templateOf(definition), (name) => variableOf(name, definition.id, evidence, options.limits));
  const { persona, imprintEvidence = false, prices } = options;
  const estimate = estimateCost(definition, { prompt, imprintEvidence, prices });
  work.trace({ type: 'DEBUG', message: `Metaprompt ${definition.id} asks a model.`, details: toJson(estimate) });
  try {
    const model = work.resolveModel({
      providerId: definition.providerId ?? persona.defaultProviderId,
      modelId: definition.modelId ?? persona.defaultModelId,
    });
    return await askModel(
      {
        model,
        prompt: imprintEvidence ? `${prompt}\n${EVIDENCE_RULE}` : prompt,
        schema: schemaFor(definition, { allowedMoods: allowedMoodsOf(persona.moodAdaptation), imprintEvidence }),
        maxOutputTokens: definition.maxOutputTokens ?? MAX_OUTPUT_TOKENS,
        temperature: definition.temperature ?? 0.3,
        signal,
      },
      used,
    );
  } catch (error) {
    signal.throwIfAborted();
    const code = (error as { readonly code?: unknown }).code;
    const problem = typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown error';
    return { ok: false, reason: 'model_unavailable', problem, calls: 0, inputTokens: 0, outputTokens: 0 };
  }
}

/** A long talk is copied for who asks for it; most batches that need no model do not. */
function readOnce<T>(read: () => T): () => T {
  let value: { readonly is: T } | undefined;
  return () => {
    value ??= { is: read() };
    return value.is;
  };
}

function userMessages(history: readonly Stored[]): ReadonlySet<string> {
  return new Set(history.filter(({ origin }) => origin === 'user').map(({ id }) => id));
}
