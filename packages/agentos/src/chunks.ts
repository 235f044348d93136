import type { GMIEvent, Logged, PendingRequest, ToolCall, TraceEntry } from '@x/core';
import type { Limit } from '@x/runtime';

/** What the stream of `processRequest` is made of. */
export const AgentOSResponseChunkType = {
  TEXT_DELTA: 'text_delta',
  SYSTEM_PROGRESS: 'system_progress',
  TOOL_CALL_REQUEST: 'tool_call_request',
  TOOL_RESULT_EMISSION: 'tool_result_emission',
  UI_COMMAND: 'ui_command',
  FINAL_RESPONSE: 'final_response',
  ERROR: 'error',
  METADATA_UPDATE: 'metadata_update',
  WORKFLOW_UPDATE: 'workflow_update',
  AGENCY_UPDATE: 'agency_update',
  PROVENANCE_EVENT: 'provenance_event',
} as const;
export type AgentOSResponseChunkType = (typeof AgentOSResponseChunkType)[keyof typeof AgentOSResponseChunkType];

/** What every chunk carries. */
export interface ChunkBase {
  /** One per request. */
  readonly streamId: string;
  readonly gmiInstanceId: string;
  readonly personaId: string;
  /** True for the last chunk of a stream, which is `final_response` or `error`. */
  readonly isFinal: boolean;
  /** ISO 8601. */
  readonly timestamp: string;
}

/** Tokens and money of a turn. */
export interface TurnUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
  readonly cachedTokens: number;
  /** False when a provider did not count and the figures are estimates. */
  readonly counted: boolean;
  /** US dollars; absent when the price of the model is not known. */
  readonly costUsd?: number | undefined;
}

export type AgentOSResponse =
  | (ChunkBase & { readonly type: 'text_delta'; readonly textDelta: string })
  | (ChunkBase & {
      readonly type: 'system_progress';
      readonly message: string;
      readonly progressPercentage?: number | undefined;
      readonly statusCode?: string | undefined;
    })
  | (ChunkBase & {
      readonly type: 'tool_call_request';
      readonly toolCalls: readonly ToolCall[];
      readonly executionMode: 'internal' | 'external';
      readonly requiresExternalToolResult: boolean;
    })
  | (ChunkBase & {
      readonly type: 'tool_result_emission';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly toolResult: string;
      readonly isSuccess: boolean;
      readonly errorMessage?: string | undefined;
    })
  | (ChunkBase & { readonly type: 'metadata_update'; readonly updates: MetadataUpdates })
  | (ChunkBase & {
      readonly type: 'final_response';
      readonly finalResponseText: string | null;
      readonly usage: TurnUsage;
      /** `pending` waits for a human, `incomplete` met a limit. */
      readonly status: 'done' | 'pending' | 'incomplete';
      readonly limit?: Limit | undefined;
      readonly pending?: PendingRequest | undefined;
      readonly reasoningTrace: readonly TraceEntry[];
      readonly activePersonaDetails: { readonly id: string; readonly name: string };
    })
  | (ChunkBase & { readonly type: 'error'; readonly code: string; readonly message: string; readonly retryable: boolean });

/** What changed around the reply. Each chunk carries some of these. */
export interface MetadataUpdates {
  readonly executionLifecycle?: { readonly status: 'running' | 'completed' | 'errored' } | undefined;
  readonly routing?: { readonly lane: string; readonly turnId: string } | undefined;
  /** Raised in this turn. */
  readonly events?: readonly GMIEvent[] | undefined;
  /** Committed with this turn. */
  readonly operations?: readonly Logged[] | undefined;
  /** Ids of the metaprompts that run in the background now. */
  readonly metaprompts?: readonly string[] | undefined;
  /** How much of a request's prefix the last one had: DESIGN's two figures, and the name of a break. */
  readonly prefix?: PrefixFigures | undefined;
  readonly taskOutcome?: { readonly status: 'success' | 'failed' | 'partial'; readonly reason?: string | undefined } | undefined;
}

export interface PrefixFigures {
  readonly step: number;
  /** Common byte prefix with the previous request ÷ the previous request, 0 to 1; absent for the first request. */
  readonly stability?: number | undefined;
  /** Common byte prefix with the previous request ÷ this request, 0 to 1; absent for the first request. */
  readonly cachedShare?: number | undefined;
  readonly break?: string | undefined;
}

/** Narrows to a request for tools. */
export function isToolCallRequestChunk(chunk: AgentOSResponse): chunk is Extract<AgentOSResponse, { type: 'tool_call_request' }> {
  return chunk.type === AgentOSResponseChunkType.TOOL_CALL_REQUEST;
}

/** Narrows to a request for tools that the host must run itself. */
export function isActionableToolCallRequestChunk(chunk: AgentOSResponse): chunk is Extract<AgentOSResponse, { type: 'tool_call_request' }> {
  return isToolCallRequestChunk(chunk) && chunk.requiresExternalToolResult;
}
