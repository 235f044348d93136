import type {
  AgentState,
  Clock,
  IAgentStore,
  IChatModel,
  ITool,
  LaneScope,
  Origin,
  PendingRequest,
  Placement,
  Random,
  ResolveModel,
  Sender,
  TurnHook,
} from '@x/core';
import type { Metric, SessionOptions, TurnEvent, WaitFor } from '../session-types.js';
import type { Agent } from './agent.js';
import type { AgentRuntime } from './agent-runtime.js';
import type { Completion } from './completion.js';
import type { Guardrail } from './guardrails.js';

/** What a handle and all below it may use. A child never gets more than its parents have left. */
export interface AgentBudget {
  /** Model calls of one run; default 6. */
  readonly maxTurns?: number | undefined;
  /** Tokens of the handle's life, its descendants' included. */
  readonly maxTokens?: number | undefined;
  /** Tool calls of the handle's life, its descendants' included. */
  readonly maxToolCalls?: number | undefined;
  /** Milliseconds from the spawn. */
  readonly maxWallMs?: number | undefined;
  /** Children that are open at the same time; no limit by default. */
  readonly maxChildren?: number | undefined;
  /** Direct children that run at the same time; default 8, more wait in line. */
  readonly maxConcurrent?: number | undefined;
  /** How deep below the root a descendant may be; default 3. The lowest of all ancestors holds. */
  readonly maxDepth?: number | undefined;
}

export type AgentLimit =
  | 'maxTurns'
  | 'maxTokens'
  | 'maxToolCalls'
  | 'maxWallMs'
  | 'completion'
  | 'maxOutputTokens'
  | 'refused'
  | 'repeatedFailure';

/** What an agent is. */
export interface AgentSpec {
  /** What it does, in a few words; a delegating model reads it. */
  readonly does: string;
  /** The system prompt; a function is asked at the start of each session and at a `reload`. */
  readonly soul?: string | (() => string) | undefined;
  readonly tools?: readonly ITool[] | undefined;
  /** The seed's place for tools; added to `tools`. */
  readonly uses?: { readonly tools?: readonly ITool[] | undefined } | undefined;
  /** Agents it may give tasks to; with any, it has the tool `task`. */
  readonly team?: readonly Agent[] | undefined;
  readonly budget?: AgentBudget | undefined;
  /** `inherit` (default) is the runtime's model; another name goes through `resolveModel`. */
  readonly model?: string | IChatModel | undefined;
  /** Hooks of features; added to the runtime's, nothing replaces them. */
  readonly features?: readonly TurnHook[] | undefined;
  /** The host's slot; replaces the runtime's whole. */
  readonly hooks?: TurnHook | undefined;
  /** Replaces the runtime's. */
  readonly onMetric?: ((metric: Metric) => void) | undefined;
  /** Answers questions of its own tools and of its team's. */
  readonly waitFor?: WaitFor | undefined;
  readonly guardrails?: readonly Guardrail[] | undefined;
  readonly completion?: Completion | undefined;
  /** Before the first turn of a handle; a failure is traced. */
  readonly onSpawn?: ((handle: Handle) => void | Promise<void>) | undefined;
  /** When a handle closes; a failure is traced. */
  readonly onClose?: ((handle: Handle) => void | Promise<void>) | undefined;
  /** The lane; default one per handle. A persona directory names itself here, so that all of its handles share its lane. */
  readonly scope?: LaneScope | undefined;
  /** The state of a lane without commits. */
  readonly initial?: Partial<AgentState> | undefined;
  readonly generation?: SessionOptions['generation'];
  readonly placement?: Placement | undefined;
  readonly toolTimeoutMs?: number | undefined;
}

export type HandleState = 'idle' | 'running' | 'suspended' | 'closed';

/** A running agent, as the verbs know it. */
export interface Handle {
  /** Such as `root/coordinator.1/explore.2`; `''` when the spawn was refused. */
  readonly id: string;
  readonly state: HandleState;
  /** Why the spawn was refused. */
  readonly error?: string | undefined;
  /** The name of its agent. */
  readonly name: string;
  readonly depth: number;
  readonly parent?: Handle | undefined;
  /** Open children, in the order of their spawns. */
  readonly children: readonly Handle[];
  readonly inbox: readonly InboxItem[];
  /** What is left for it and all below it. */
  readonly pool: { readonly tokens: number; readonly toolCalls: number };
  /** Used so far, descendants included. */
  readonly usageTotal: number;
  readonly toolCallsTotal: number;
  /** Model calls of its own, over its life. */
  readonly turnsTotal: number;
  readonly pendingRequest?: PendingRequest | undefined;
  readonly lastResult?: AgentResult | undefined;
}

export interface InboxItem {
  readonly from: string;
  readonly channel: string;
  readonly text: string;
  /** True when an ancestor or the handle itself posted it. */
  readonly trusted: boolean;
  /** Ticks of the clock that this one stands for. */
  readonly ticks?: number | undefined;
}

/** What a caller posts. Only a handle as `from` is trusted: a name can be claimed by anybody. */
export interface Post {
  readonly from: string | Handle;
  readonly channel: string;
  readonly text: string;
}

export interface WakeOptions {
  /** Default `user`; a beat is `heartbeat` and waits for users. */
  readonly origin?: Origin | undefined;
  readonly sender?: Sender | undefined;
  /** True: the prefix is composed anew before the turn. */
  readonly reload?: boolean | undefined;
  /** Another conversation of the same lane, for this turn; default the handle's own. */
  readonly conversation?: string | undefined;
  /** In the place of the agent's tools, for this turn. */
  readonly tools?: readonly ITool[] | undefined;
  /** Takes back this turn and no other: it is stopped, or never begins. */
  readonly signal?: AbortSignal | undefined;
}

/** How a run of an agent went. */
export interface AgentResult {
  /** The answer; the question when `pending`; what stopped it otherwise. */
  readonly text: string;
  /** True for all but `done` and `pending`. */
  readonly isError: boolean;
  readonly status: 'done' | 'pending' | 'incomplete' | 'interrupted' | 'closed' | 'timeout' | 'error';
  readonly limit?: AgentLimit | undefined;
  readonly pending?: PendingRequest | undefined;
  /** Model calls of this run, without its children's. */
  readonly turns: number;
  /** Tokens of this run, without its children's. */
  readonly totalTokens: number;
  /** The code of the error, when it has one. */
  readonly code?: string | undefined;
}

export type VerbResult = { readonly ok: true; readonly error?: undefined } | { readonly ok: false; readonly error: string };

export interface HandleRow {
  readonly id: string;
  readonly state: HandleState;
  /** Used so far, descendants included. */
  readonly tokens: number;
  readonly inbox: number;
}

export interface HandleDetails extends HandleRow {
  readonly turns: number;
  readonly poolTokens: number;
  readonly pending?: PendingRequest | undefined;
}

export interface RuntimeOptions {
  /** What `inherit` means. */
  readonly model: IChatModel;
  /** For agents that name a model. */
  readonly resolveModel?: ResolveModel | undefined;
  /** Default in memory. */
  readonly store?: IAgentStore | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  /** Whose agents these are; part of their lanes. Default `local`. */
  readonly user?: string | undefined;
  /** Posts that a handle holds; default 8. Ticks of the clock take one place of their own. */
  readonly inboxCap?: number | undefined;
  /** Model calls at the same time in the whole runtime; default 8. */
  readonly maxConcurrentTurns?: number | undefined;
  /** Milliseconds that `close` waits for running turns; default 200. */
  readonly shutdownMs?: number | undefined;
  readonly features?: readonly TurnHook[] | undefined;
  readonly hooks?: TurnHook | undefined;
  readonly onMetric?: ((metric: Metric) => void) | undefined;
  readonly onEvent?: ((handle: string, event: TurnEvent) => void) | undefined;
  readonly toolTimeoutMs?: number | undefined;
}

export interface SpawnOptions {
  /** The name of the handle's conversation in its lane; default its id. */
  readonly conversation?: string | undefined;
}

export interface AgentRunOptions extends RuntimeOptions, SpawnOptions {
  readonly signal?: AbortSignal | undefined;
  readonly origin?: Origin | undefined;
  readonly sender?: Sender | undefined;
}

/** A run with the runtime it ran in, which is still open when the run is `pending`. */
export type AgentRun = AgentResult & { readonly runtime: AgentRuntime };
