import type { GMIEvent } from './events.js';
import type { Layout, Parts } from './layout.js';
import type { ChatMessage, Origin, Stored } from './messages.js';
import type { ResolveModel } from './model.js';
import type { Operation } from './operations.js';
import type { AgentState } from './state.js';
import type { ToolResult, ToolSpec } from './tools.js';
import type { TraceEntry } from './trace.js';

/** What changes state and leaves a trace; the log's `by` is the hook's name. */
export interface Change {
  /** Shows at once in `state`. Throws `operation_refused` for a value that state cannot take. */
  apply(operation: Operation, why: string): void;
  trace(entry: Pick<TraceEntry, 'type' | 'message' | 'details'>): void;
}

/** One user message and its answer, as a hook sees it. */
export interface Turn extends Change {
  readonly id: string;
  /** The key of the unit that runs one turn at a time. */
  readonly lane: string;
  readonly origin: Origin;
  readonly input: Stored;
  readonly layout: Layout;
  /** Getters: what earlier hooks applied, raised and traced is visible here. */
  readonly state: AgentState;
  readonly events: readonly GMIEvent[];
  /** Event values, and `first_turn`, `returning_user`, `tool_failed`, `repeated_question`, `after_fold`. */
  readonly signals: readonly string[];
  readonly traceLog: readonly TraceEntry[];
  readonly signal: AbortSignal;
  readonly atMs: number;
  raise(event: Pick<GMIEvent, 'eventType' | 'severity' | 'metadata'>): void;
  /** Takes pending events of these types away: whoever acts on an event consumes it. */
  consume(eventTypes: readonly string[]): void;
}

/** The list that is about to go to a model: history and running turn as one, without system prompt and notes. */
export interface LlmEvent {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSpec[];
  readonly model: string;
  /** The step, from 0: one model call with its tools. */
  readonly turn: number;
  /** Tokens of what is not in `messages`: system prompt, tools, notes. */
  readonly overheadTokens?: number | undefined;
  readonly context?: Turn | undefined;
}

export interface ToolEvent {
  readonly name: string;
  readonly args: unknown;
  readonly id?: string | undefined;
  readonly turn: number;
  readonly context?: Turn | undefined;
}

/** One piece of background work and what caused it. */
export interface BatchItem {
  readonly id: string;
  readonly because: string;
}

/** Background work that was recorded in the same commit as its turn. */
export interface Batch {
  readonly id: string;
  readonly turn: string;
  /** The name of the hook that runs it. */
  readonly by: string;
  readonly items: readonly BatchItem[];
  /** Events that woke it, as they were; the tracker may have moved on since. */
  readonly events?: readonly GMIEvent[] | undefined;
}

/**
 * What background work gets: fresh state, and operations that are committed as one when it ends. Hand it on as it is: state
 * and trace move on while it runs, the history is copied for who asks, and an object spread from it has none of them.
 */
export interface BatchWork extends Change {
  readonly state: AgentState;
  readonly history: readonly Stored[];
  readonly traceLog: readonly TraceEntry[];
  readonly resolveModel: ResolveModel;
  readonly signal: AbortSignal;
  readonly atMs: number;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a hook may be a function that returns nothing
type Maybe<T> = T | undefined | void | Promise<T | undefined | void>;

/**
 * A feature or a host's addition. Hooks are plain objects and run in array order. A hook that throws ends its part of
 * the turn with a trace entry or a typed error; it never kills the session.
 */
export interface TurnHook {
  /** The log's `by`; default `host`. */
  readonly name?: string | undefined;
  /**
   * True for a hook that reads `turn.layout` and `turn.traceLog` only while it is called and keeps neither. A long
   * history is then not copied for each turn; a list that is kept all the same grows with later turns. Default false.
   */
  readonly borrows?: boolean | undefined;
  /** Before the prompt is composed: score, raise, apply. */
  beforeTurn?(turn: Turn): Maybe<never>;
  /** After every `beforeTurn`, once per turn; merged by part. */
  compose?(turn: Turn): Maybe<{ readonly stable?: Parts | undefined; readonly volatile?: Parts | undefined }>;
  /** Before each model call. Returned messages replace history and running turn; `meta.reason` names the break. */
  beforeLLM?(
    event: LlmEvent,
  ): Maybe<{ readonly messages?: readonly ChatMessage[] | undefined; readonly tools?: readonly ToolSpec[] | undefined }>;
  afterLLM?(event: {
    readonly response: ChatMessage;
    readonly model: string;
    readonly turn: number;
    readonly context?: Turn | undefined;
  }): Maybe<never>;
  /** `args` rewrites the arguments, `result` answers in the tool's place. */
  beforeTool?(event: ToolEvent): Maybe<{ readonly args?: unknown; readonly result?: ToolResult | undefined }>;
  afterTool?(event: ToolEvent & { readonly result: ToolResult }): Maybe<{ readonly result?: ToolResult | undefined }>;
  /** Before the commit; pure: decides what runs in the background. */
  afterTurn?(turn: Turn): Maybe<{ readonly batch?: readonly BatchItem[] | undefined }>;
  /** After the commit, and once more for a batch that a crash left pending. */
  runBatch?(batch: Batch, work: BatchWork): Promise<void>;
}

/**
 * Why a prompt's prefix changed; anything else that changes it is a fault. `audience`: the request answers another
 * person than the one before, or notes on a stranger left the turn that they were for.
 */
export type CacheBreak = 'first' | 'fold' | 'reload' | 'tools' | 'model' | 'audience';
