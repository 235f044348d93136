import { type Clock, type IPersonaDefinition, isAgentosError, type TraceEntry } from '@x/core';
import type { TurnEvent, TurnResult } from '@x/runtime';
import type { AgentOSResponse, ChunkBase, MetadataUpdates, PrefixFigures, TurnUsage } from './chunks.js';
import { costOf, type Prices } from './prices.js';

export interface ChunkContext {
  readonly streamId: string;
  readonly gmiInstanceId: string;
  readonly persona: IPersonaDefinition;
  readonly modelId: string;
  readonly lane: string;
  readonly prices: Prices;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  trace(): readonly TraceEntry[];
  /** Measures each step's prefix; without it no figures are given. */
  readonly meter?: ((event: Extract<TurnEvent, { type: 'step-start' }>) => PrefixFigures) | undefined;
}

/**
 * Says a turn in chunks. Order: progress; lifecycle `running`; then, as they happen, words, tool calls, tool results and
 * the prefix figures of each step; what changed; the outcome; lifecycle `completed`; the final response. A failed turn
 * ends with lifecycle `errored` and an `error` chunk; an aborted one throws `signal.reason`.
 */
export async function* chunksOf(events: AsyncIterable<TurnEvent>, context: ChunkContext): AsyncGenerator<AgentOSResponse, void> {
  const base = (isFinal = false): ChunkBase => ({
    streamId: context.streamId,
    gmiInstanceId: context.gmiInstanceId,
    personaId: context.persona.id,
    isFinal,
    timestamp: new Date(context.clock.now()).toISOString(),
  });
  const update = (updates: MetadataUpdates): AgentOSResponse => ({ type: 'metadata_update', updates, ...base() });
  yield { type: 'system_progress', message: 'The turn starts.', progressPercentage: 10, ...base() };
  try {
    for await (const event of events) {
      if (event.type === 'turn-start')
        yield update({ executionLifecycle: { status: 'running' }, routing: { lane: context.lane, turnId: event.id } });
      else if (event.type === 'step-start' && context.meter) yield update({ prefix: context.meter(event) });
      else if (event.type === 'text-delta') yield { type: 'text_delta', textDelta: event.text, ...base() };
      else if (event.type === 'tool-call-start') yield { ...base(), ...callChunk(event) };
      else if (event.type === 'tool-call-end') yield { ...base(), ...resultChunk(event) };
      else if (event.type === 'turn-end') {
        const { result } = event;
        yield update({
          events: result.events,
          operations: result.operations,
          metaprompts: result.batches.flatMap(({ items }) => items.map(({ id }) => id)),
        });
        yield update({
          taskOutcome: result.status === 'done' ? { status: 'success' } : { status: 'partial', reason: result.limit ?? result.status },
        });
        yield update({ executionLifecycle: { status: 'completed' } });
        yield { ...base(true), ...finalChunk(result, context) };
      }
    }
  } catch (error) {
    if (context.signal?.aborted) throw context.signal.reason;
    const { code, retryable } = isAgentosError(error) ? error : { code: 'internal_error', retryable: false };
    yield update({ executionLifecycle: { status: 'errored' }, taskOutcome: { status: 'failed', reason: code } });
    yield { ...base(true), type: 'error', code, retryable, message: error instanceof Error ? error.message : String(error) };
  }
}

function callChunk({ id, name, args }: Extract<TurnEvent, { type: 'tool-call-start' }>) {
  const call = { id, type: 'function', function: { name, arguments: JSON.stringify(args ?? {}) } } as const;
  return { type: 'tool_call_request', toolCalls: [call], executionMode: 'internal', requiresExternalToolResult: false } as const;
}

function resultChunk({ id, name, output, isError }: Extract<TurnEvent, { type: 'tool-call-end' }>) {
  return {
    type: 'tool_result_emission',
    toolCallId: id,
    toolName: name,
    toolResult: output,
    isSuccess: !isError,
    ...(isError && { errorMessage: output }),
  } as const;
}

function finalChunk(result: TurnResult, { modelId, prices, persona, trace }: ChunkContext) {
  const { inputTokens, outputTokens, cachedTokens, counted } = result.usage;
  const costUsd = costOf(result.usage, modelId, prices);
  const usage: TurnUsage = {
    promptTokens: inputTokens,
    completionTokens: outputTokens,
    totalTokens: inputTokens + outputTokens,
    cachedTokens,
    counted,
    ...(costUsd !== undefined && { costUsd }),
  };
  return {
    type: 'final_response',
    finalResponseText: result.text === '' ? null : result.text,
    usage,
    status: result.status,
    limit: result.limit,
    pending: result.pending,
    reasoningTrace: trace(),
    activePersonaDetails: { id: persona.id, name: persona.name },
  } as const;
}
