import type {
  Answer,
  ChatMessage,
  Clock,
  IAgentStore,
  IChatModel,
  IConversationStore,
  ITool,
  PendingRequest,
  Random,
  Stored,
  TraceEntry,
  TurnHook,
} from '@x/core';
import type { Budgets, Metric, Session, SessionOptions, ToolCallRecord, WaitFor } from './session-types.js';

export interface ClientOptions extends Pick<SessionOptions, 'features' | 'generation' | 'placement' | 'toolTimeoutMs' | 'resolveModel'> {
  readonly model: IChatModel | (() => IChatModel);
  /** Read at the start of each conversation, and again in a new process. */
  readonly systemPrompt?: string | (() => string) | undefined;
  /** The host's slot. */
  readonly hooks?: TurnHook | undefined;
  readonly onMetric?: ((metric: Metric) => void) | undefined;
  readonly onTrace?: ((entry: TraceEntry) => void) | undefined;
  /** Answers questions of tools at once; without it such a run ends as `pending`. */
  readonly waitFor?: WaitFor | undefined;
  /** Where conversations with an id live; default in memory. A host's own `get` and `save` of whole transcripts will do. */
  readonly store?: IAgentStore | IConversationStore | undefined;
  /** Model calls of one run; default 10. */
  readonly maxTurns?: number | undefined;
  readonly budgets?: Omit<Budgets, 'maxSteps'> | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/** Tools to run with: a toolkit, or anything that lists tools. */
export interface ToolSource {
  tools(): readonly ITool[];
}

export interface AskOptions {
  readonly toolkit?: ToolSource | undefined;
  /** The conversation to go on with; without one nothing is remembered. */
  readonly id?: string | undefined;
  /** Gets each piece of the answer as it comes. */
  readonly onText?: ((text: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RunOptions {
  readonly toolkit?: ToolSource | undefined;
  /** What was said before; a leading system message is left out, the client has its own. */
  readonly history?: readonly ChatMessage[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How a run of a client went. */
export interface RunResult {
  /** The answer; the question when `pending`; says so when the turns ran out without any text. */
  readonly text: string;
  /** What was said before, and this run. */
  readonly messages: readonly Stored[];
  readonly toolCalls: readonly ToolCallRecord[];
  readonly toolCallCount: number;
  /** Model calls of this run. */
  readonly turns: number;
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number; readonly totalTokens: number };
  readonly model: string;
  readonly status: 'done' | 'pending' | 'incomplete';
  readonly pending?: PendingRequest | undefined;
  /** `maxTurns` and the other names of budgets; `maxOutputTokens`, `refused`, `repeatedFailure`. */
  readonly limit?: string | undefined;
}

export type ClientEvent =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly args: unknown }
  | { readonly type: 'tool_result'; readonly id: string; readonly name: string; readonly output: string; readonly isError: boolean }
  | { readonly type: 'usage'; readonly usage: RunResult['usage'] }
  | { readonly type: 'pending'; readonly request: PendingRequest }
  | { readonly type: 'done'; readonly result: RunResult };

/** One talk that a program holds on to. */
export interface Conversation {
  send(
    prompt: string,
    options?: { readonly onText?: ((text: string) => void) | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<RunResult>;
  readonly messages: readonly Stored[];
  /** Starts over with an empty transcript. */
  reset(): void;
}

export interface Client {
  /** One run without a memory. */
  run(prompt: string, options?: RunOptions): Promise<RunResult>;
  /** One run; with an `id` the conversation of that name goes on. Runs of one id wait for each other. */
  ask(prompt: string, options?: AskOptions): Promise<RunResult>;
  /** As `ask`, as a stream; its last event is `done`. Leaving the loop early aborts the run. */
  stream(prompt: string, options?: Omit<AskOptions, 'onText'>): AsyncGenerator<ClientEvent, void>;
  conversation(options?: { readonly toolkit?: ToolSource | undefined }): Conversation;
  /** Goes on with the run of a conversation that waits for a human. */
  resume(answer: Answer, options: AskOptions & { readonly id: string }): Promise<RunResult>;
  /** The session under an id. It is closed when many others were used since and it had nothing to do: ask for it again then. */
  session(id: string): Promise<Session>;
  close(options?: { readonly timeoutMs?: number | undefined }): Promise<void>;
}
