import type { ChatMessage, ToolCall } from './messages.js';
import type { ToolSpec } from './tools.js';

/** Tokens as counted by the provider; a field is absent when unknown, never 0. */
export interface Usage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** The part of `inputTokens` that was read from the provider's prompt cache. */
  readonly cachedTokens?: number | undefined;
}

/** The counts of a usage that can be true: adapters report `NaN` or less than nothing where a provider told nothing. */
export function knownUsage(usage: Usage | undefined): Usage {
  const fields = (['inputTokens', 'outputTokens', 'cachedTokens'] as const).map((field) => [field, usage?.[field]] as const);
  return Object.fromEntries(fields.filter(([, count]) => count !== undefined && Number.isFinite(count) && count >= 0));
}

/** Why a model stopped. `length` means cut off: such output is never executed. */
export type Finish = 'stop' | 'tool-calls' | 'length' | 'refused';

/** What a model's stream is made of. The last event is always `model-end`; events of other types are passed over. */
export type ModelEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | {
      readonly type: 'tool-call';
      readonly call: ToolCall;
      /** Present when the arguments are not JSON; says why. Such a call is answered with an error, never run. */
      readonly unparseable?: string | undefined;
    }
  | { readonly type: 'model-end'; readonly finish: Finish; readonly usage: Usage };

/** What an endpoint accepts, as data; `layoutMessages` reads it. */
export interface Capabilities {
  /** How a note in mid-conversation is carried; `fenced-user` is safe everywhere. */
  readonly lateNote: 'developer' | 'system' | 'fenced-user';
  /** True when the endpoint wants user and assistant to alternate: neighbouring user messages become one. */
  readonly mergeUserRuns: boolean;
  /** True when the endpoint enforces a JSON Schema on its output. */
  readonly structuredOutput: boolean;
  /** `completion`: the endpoint takes one text, so the whole list becomes one user message. Default `chat`. */
  readonly transcript?: 'chat' | 'completion' | undefined;
  /** Tokens that fit into one request and its answer together. */
  readonly contextWindow?: number | undefined;
}

export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSpec[];
  readonly maxOutputTokens?: number | undefined;
  /** Sent only when given. */
  readonly temperature?: number | undefined;
  /** A JSON Schema for the reply, sent where `capabilities.structuredOutput` is true. */
  readonly outputSchema?: unknown;
}

/** A model behind any provider. */
export interface IChatModel {
  readonly modelId: string;
  readonly providerId: string;
  readonly capabilities: Capabilities;
  /**
   * True for a model that reads `messages` only until its stream is over and keeps the list nowhere. A session then goes on
   * with one list instead of making one for each request; who keeps it all the same sees it grow. Default false. What wraps
   * such a model answers for itself.
   */
  readonly borrows?: boolean | undefined;
  /**
   * Asks the model. Failure throws an `AgentosError` (`retryable` tells whether another try may help); an abort throws
   * `signal.reason`. A stream that ends without `model-end` was cut: the caller treats it as failed.
   */
  stream(request: ModelRequest, options: { readonly signal: AbortSignal }): AsyncIterable<ModelEvent>;
}

/** How the model name of a persona, a metaprompt or a scorer becomes a model. Throws `provider_unknown` or `api_key_missing`. */
export type ResolveModel = (want: { readonly providerId?: string | undefined; readonly modelId?: string | undefined }) => IChatModel;
