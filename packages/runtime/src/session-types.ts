import type {
  AgentState,
  Answer,
  Batch,
  CacheBreak,
  ChatMessage,
  Finish,
  GMIEvent,
  IChatModel,
  ITool,
  Logged,
  Operation,
  OperationsWanted,
  Origin,
  Parts,
  PendingRequest,
  Placement,
  ResolveModel,
  Sender,
  Stored,
  ToolSpec,
  TraceEntry,
  TurnHook,
  Usage,
} from '@x/core';

/** What one run may use. A field that is left out has its default. */
export interface Budgets {
  /** Model calls of one turn; default 10. Tools of the last allowed step still run. */
  readonly maxSteps?: number | undefined;
  /** Tool calls of one turn; default 64. Calls beyond it are answered with an error. */
  readonly maxToolCalls?: number | undefined;
  /** Input and output tokens of one turn together; no limit by default. Estimated where the provider does not count. */
  readonly maxTokens?: number | undefined;
  /** Milliseconds from the start of the turn to its end; no limit by default. Stops a model call or tool in flight. */
  readonly maxWallMs?: number | undefined;
}

/** The limit that stopped a turn, or why its answer is not whole. */
export type Limit = 'maxSteps' | 'maxToolCalls' | 'maxTokens' | 'maxWallMs' | 'maxOutputTokens' | 'refused' | 'repeatedFailure';

/** A purse that several sessions draw from; asked before each model call and each round of tools. */
export interface Meter {
  /** The limit that is used up, if one is. */
  exhausted(): Limit | undefined;
  toolCallsLeft(): number;
  spend(used: { readonly tokens: number; readonly steps: number; readonly toolCalls: number }): void;
}

/** Answers a question while its turn waits; `undefined` parks the turn. */
export type WaitFor = (
  request: PendingRequest,
  options: { readonly signal: AbortSignal },
) => Answer | undefined | Promise<Answer | undefined>;

/** What a host may collect. A sink that throws leaves a warning in the trace, nothing else. */
export type Metric =
  | {
      readonly type: 'llm';
      readonly model: string;
      readonly status: 'ok' | 'error';
      readonly ms: number;
      readonly promptTokens?: number | undefined;
      readonly completionTokens?: number | undefined;
    }
  | {
      readonly type: 'tool';
      readonly tool: string;
      readonly source: string;
      readonly isError: boolean;
      readonly ms: number;
      readonly pending?: boolean | undefined;
    }
  | {
      readonly type: 'run';
      readonly model: string;
      readonly turns: number;
      readonly toolCalls: number;
      readonly totalTokens: number;
      readonly ms: number;
      readonly error?: string | undefined;
    };

export interface SessionOptions {
  /** The name of the conversation inside its lane; default `main`. */
  readonly conversation?: string | undefined;
  /** The model, or how to choose it; asked once per turn. */
  readonly model: IChatModel | (() => IChatModel);
  /** For background work; default: always the session's model. */
  readonly resolveModel?: ResolveModel | undefined;
  /** Hooks of features; nothing replaces them. A throwing one leaves a `WARNING` in the trace and the turn goes on. */
  readonly features?: readonly TurnHook[] | undefined;
  /** The host's slot; runs after the features. A throwing one fails the turn with `hook_failed`. */
  readonly hooks?: TurnHook | undefined;
  /** A run may bring others. */
  readonly tools?: readonly ITool[] | undefined;
  /** Parts of the prefix, read once per session and again at `reload`; features may add parts of other names. */
  readonly stable?: Parts | (() => Parts) | undefined;
  /** Where notes of the turn go; default `kept-on-change`. */
  readonly placement?: Placement | undefined;
  readonly generation?: { readonly temperature?: number | undefined; readonly maxOutputTokens?: number | undefined } | undefined;
  readonly budgets?: Budgets | undefined;
  readonly meter?: Meter | undefined;
  /** Answers questions of tools at once, so that the turn does not park. */
  readonly waitFor?: WaitFor | undefined;
  /** Milliseconds until a tool call is given up and answered with an error; default 60,000. */
  readonly toolTimeoutMs?: number | undefined;
  /** Milliseconds until background work is given up; default 120,000. */
  readonly batchTimeoutMs?: number | undefined;
  readonly onMetric?: ((metric: Metric) => void) | undefined;
  readonly onTrace?: ((entry: TraceEntry) => void) | undefined;
  /** True: each request's bytes, the model's replies, the tools' results and the parts of the prompt are committed beside the turn; default false. */
  readonly journal?: boolean | undefined;
}

export interface RunInput {
  readonly content: string | Exclude<ChatMessage['content'], string | null>;
  /** Default `user`. Beats (`heartbeat`) wait for users. */
  readonly origin?: Origin | undefined;
  readonly sender?: Sender | undefined;
  /** The id of turn and message; the same one again returns the committed answer without asking the model. Default random. */
  readonly id?: string | undefined;
  /** Narrower or wider than the session's, for this turn; fields that are left out are the session's. */
  readonly budgets?: Budgets | undefined;
  /** In the place of the session's tools, for this turn; other tools than last time are the named break `tools`. */
  readonly tools?: readonly ITool[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A tool call as it went. */
export interface ToolCallRecord {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  readonly output: string;
  readonly isError: boolean;
  readonly metadata?: { readonly [key: string]: unknown } | undefined;
  readonly ms: number;
}

/** Tokens of a run. The first two are estimated for steps whose provider does not count; `counted` tells. */
export interface RunUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** True when the provider counted every step. */
  readonly counted: boolean;
}

/** How a turn went, whether it was stored or not. */
export interface TurnOutcome {
  /** The id of the turn and of its input message. */
  readonly id: string;
  /** What the assistant said last in this turn; the question's text when `pending`. */
  readonly text: string;
  readonly status: 'done' | 'pending' | 'incomplete';
  readonly limit?: Limit | undefined;
  readonly pending?: PendingRequest | undefined;
  /** This turn's messages: the input, then answers, calls and results. */
  readonly messages: readonly Stored[];
  readonly usage: RunUsage;
  /** Model calls. */
  readonly steps: number;
  readonly toolCalls: readonly ToolCallRecord[];
}

/** How a committed turn went. */
export interface TurnResult extends TurnOutcome {
  /** As committed. */
  readonly operations: readonly Logged[];
  /** Raised in this turn. */
  readonly events: readonly GMIEvent[];
  /** Background work that was committed with the turn; `session.drain()` waits for it. */
  readonly batches: readonly Batch[];
  readonly state: { readonly before: AgentState; readonly after: AgentState };
  readonly parts: { readonly stable: Parts; readonly volatile: Parts };
  readonly signals: readonly string[];
  /** True when the turn had been committed before and was not run again. */
  readonly replayed: boolean;
}

/** What happens in a turn before its end. */
export type StepEvent =
  | { readonly type: 'turn-start'; readonly id: string; readonly atMs: number; readonly origin: Origin }
  | {
      readonly type: 'step-start';
      /** From 0. */
      readonly step: number;
      readonly request: { readonly messages: readonly ChatMessage[]; readonly tools: readonly ToolSpec[] };
      /** Why the prefix differs from the last request's; absent when it does not. */
      readonly break?: CacheBreak | undefined;
      readonly overheadTokens: number;
    }
  | { readonly type: 'text-delta'; readonly step: number; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly step: number; readonly text: string }
  | { readonly type: 'tool-call-start'; readonly step: number; readonly id: string; readonly name: string; readonly args: unknown }
  | {
      readonly type: 'tool-call-end';
      readonly step: number;
      readonly id: string;
      readonly name: string;
      readonly output: string;
      readonly isError: boolean;
      readonly pending?: PendingRequest | undefined;
      readonly ms: number;
    }
  | {
      readonly type: 'step-end';
      readonly step: number;
      readonly finish: Finish;
      readonly usage: Usage;
    }
  | {
      readonly type: 'step-retry';
      /** The stream of this step broke; its deltas so far are void, and it is asked for once more. */
      readonly step: number;
      readonly problem: string;
    }
  | { readonly type: 'trace'; readonly entry: TraceEntry };

export type TurnEvent = StepEvent | { readonly type: 'turn-end'; readonly result: TurnResult };

/** One conversation of a lane. All of its methods may be called at any time; turns wait for each other. */
export interface Session {
  readonly conversation: string;
  /** The key of the lane. */
  readonly lane: string;
  /**
   * Runs one turn. It starts with the first `next()`; leaving the loop early aborts it. The last event is `turn-end`,
   * after the commit.
   *
   * @throws `turn_parked`, `hook_failed`, `hook_result_invalid`, `transcript_conflict`, `session_closed`, what the model
   * throws, `signal.reason`. Then nothing was committed, and the session goes on.
   */
  run(input: RunInput): AsyncGenerator<TurnEvent, void>;
  /** Runs one turn to its end; hands each event to `onEvent`, in order and as it happens. Throws as `run` does. */
  ask(input: RunInput | string, onEvent?: ((event: TurnEvent) => void) | undefined): Promise<TurnResult>;
  /**
   * Goes on with a turn that waits for a human.
   *
   * @throws `nothing_parked`, `answer_mismatch`, `answer_used`, and all that `run` throws.
   */
  resume(
    answer: Answer,
    options?: {
      readonly signal?: AbortSignal | undefined;
      readonly onEvent?: ((event: TurnEvent) => void) | undefined;
      readonly tools?: readonly ITool[] | undefined;
      readonly budgets?: Budgets | undefined;
    },
  ): Promise<TurnResult>;
  /**
   * Drops the turn that waits: its question is answered as cancelled, what was done stays in the transcript, the model is not asked.
   * True when there was one.
   */
  cancel(): Promise<boolean>;
  /** The question that the conversation waits with, if it does. */
  parked(): Promise<PendingRequest | undefined>;
  /** As committed last. */
  state(): Promise<AgentState>;
  history(options?: { readonly original?: boolean | undefined }): Promise<readonly Stored[]>;
  /** The last 500 entries. */
  readonly traceLog: readonly TraceEntry[];
  operations(options?: OperationsWanted & { readonly after?: string | undefined }): AsyncIterable<Logged>;
  /** One commit of the inverse. @throws `operation_unknown` */
  undo(operationId: string): Promise<readonly Logged[]>;
  /** One commit of these operations. @throws `operation_refused` */
  apply(operations: readonly Operation[], by: string, why: string): Promise<readonly Logged[]>;
  /** Waits for background work. True when all is done, false when the time ran out first; no limit by default. */
  drain(options?: { readonly timeoutMs?: number | undefined }): Promise<boolean>;
  /** Composes the prefix anew at the next turn; if it then differs, that is the named break `reload`. */
  reload(): void;
  /** Takes no more turns, waits for running work, then aborts what is left. */
  close(options?: { readonly timeoutMs?: number | undefined }): Promise<void>;
}
