import {
  asTalk,
  type ChatMessage,
  type Clock,
  createId,
  createRequestLayout,
  type IChatModel,
  InvalidArgumentError,
  type ITool,
  type Layout,
  type ModelRequest,
  type Random,
  type Stored,
  systemClock,
  type TurnHook,
  textOf,
} from '@x/core';
import { limitTime } from './abort.js';
import { callSink } from './call-sink.js';
import { limitsProblem } from './check-limits.js';
import { streamEvents } from './event-channel.js';
import { faultText, type HookEntry } from './hook-list.js';
import { createMessageCheck } from './message-check.js';
import { createOverheadCounter, createPrefixMemory } from './prefix-memory.js';
import { repairPairs } from './repair-pairs.js';
import { runSteps } from './run-steps.js';
import type { Budgets, Meter, Metric, StepEvent, TurnOutcome, WaitFor } from './session-types.js';
import { createToolSet } from './tool-set.js';

export interface RunTurnOptions {
  readonly model: IChatModel;
  readonly tools?: readonly ITool[] | undefined;
  /** Their loop points run, in this order: `beforeLLM`, `afterLLM`, `beforeTool`, `afterTool`. One that throws fails the turn. */
  readonly hooks?: readonly TurnHook[] | undefined;
  readonly budgets?: Budgets | undefined;
  readonly meter?: Meter | undefined;
  readonly generation?: Pick<ModelRequest, 'temperature' | 'maxOutputTokens'> | undefined;
  readonly waitFor?: WaitFor | undefined;
  /** Milliseconds; default 60,000. */
  readonly toolTimeoutMs?: number | undefined;
  readonly onMetric?: ((metric: Metric) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type RunTurnEvent = StepEvent | { readonly type: 'turn-end'; readonly result: TurnOutcome };

/**
 * Runs one turn over a list of messages and stores nothing: the model is asked, its tools run, until it answers.
 *
 * @param messages - A system message at the start, perhaps; what was said; last, the user's message.
 * @throws `invalid_argument` when the last message is not a user's; `tool_invalid`, `hook_failed`, `hook_result_invalid`,
 * what the model throws, `signal.reason`.
 * @example
 * for await (const event of runTurn([{ role: 'user', content: 'Hi' }], { model })) if (event.type === 'turn-end') use(event.result.text);
 */
export function runTurn(messages: readonly ChatMessage[], options: RunTurnOptions): AsyncGenerator<RunTurnEvent, void> {
  return streamEvents<RunTurnEvent>((emit, signal) => runTurnWith(messages, { ...options, signal }, emit), options.signal);
}

async function runTurnWith(
  messages: readonly ChatMessage[],
  options: RunTurnOptions & { readonly signal: AbortSignal },
  emit: (event: RunTurnEvent) => void,
): Promise<void> {
  const { model, clock = systemClock, random = Math.random, budgets = {}, signal: stop } = options;
  const startMs = clock.now();
  const problem = limitsProblem(budgets);
  if (problem) throw new InvalidArgumentError(`budgets: ${problem}.`);
  const { system, history, input } = divide(messages, random);
  const toolSet = createToolSet(options.tools ?? []);
  const layout: Layout = { stable: { system }, tools: toolSet.specs, history, blocks: [], volatile: {}, current: [input] };
  const place = { layout };
  const wall = limitTime(stop, budgets.maxWallMs, clock);
  const onFault = (message: string, error: unknown): void =>
    emit({ type: 'trace', entry: { type: 'WARNING', message, turn: input.id, atMs: clock.now(), details: { problem: faultText(error) } } });
  const metric = (event: Metric): void => callSink(options.onMetric, event, (error) => onFault('onMetric threw', error));
  emit({ type: 'turn-start', id: input.id, atMs: startMs, origin: input.origin });
  try {
    const outcome = await runSteps({
      place,
      model,
      generation: options.generation ?? {},
      budgets,
      meter: options.meter,
      waitFor: options.waitFor,
      prefix: createPrefixMemory(),
      overhead: createOverheadCounter(),
      layOut: createRequestLayout(),
      check: createMessageCheck(),
      isHeard: true,
      random,
      tools: toolSet.byName,
      hooks: (options.hooks ?? []).map((hook): HookEntry => ({ hook, name: hook.name ?? 'host', host: true })),
      signal: wall.signal,
      stop,
      outOfTime: wall.isOver,
      clock,
      toolTimeoutMs: options.toolTimeoutMs ?? 60_000,
      emit,
      metric,
      onFault,
    });
    const { status, limit, pending, text, usage, steps, toolCalls } = outcome;
    const totalTokens = usage.inputTokens + usage.outputTokens;
    metric({ type: 'run', model: model.modelId, turns: steps, toolCalls: toolCalls.length, totalTokens, ms: clock.now() - startMs });
    const result: TurnOutcome = {
      id: input.id,
      text,
      status,
      ...(limit && { limit }),
      ...(pending && { pending: pending.request }),
      messages: place.layout.current,
      usage,
      steps,
      toolCalls,
    };
    emit({ type: 'turn-end', result });
  } catch (error) {
    const ms = clock.now() - startMs;
    metric({ type: 'run', model: model.modelId, turns: 0, toolCalls: 0, totalTokens: 0, ms, error: faultText(error) });
    throw error;
  } finally {
    wall.release();
  }
}

function divide(messages: readonly ChatMessage[], random: Random) {
  const input = messages.at(-1);
  if (input?.role !== 'user') throw new InvalidArgumentError('runTurn: the last message must be a user message.');
  const first = messages[0];
  const isSystem = (first?.role === 'system' && asTalk(first) === undefined) || first?.role === 'developer';
  const system = isSystem ? textOf(first!) : '';
  const stored = messages.map((message): Stored => {
    const origin = message.origin ?? (message.role === 'assistant' || message.role === 'tool' ? message.role : 'user');
    return { ...structuredClone(message), id: message.id ?? createId('msg', random), origin };
  });
  return { system, history: repairPairs(stored.slice(isSystem ? 1 : 0, -1)), input: stored.at(-1)! };
}
