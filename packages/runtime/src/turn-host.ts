import type { AgentState, Clock, createRequestLayout, IChatModel, ITool, Layout, Random, Snapshot, Stored, TraceEntry } from '@x/core';
import type { StableByAudience } from './fixed-stable.js';
import type { HookEntry } from './hook-list.js';
import type { LaneState } from './lane-state.js';
import type { MessageCheck } from './message-check.js';
import type { PrefixMemory } from './prefix-memory.js';
import type { Replays } from './replay.js';
import type { Budgets, Metric, SessionOptions, TurnEvent } from './session-types.js';
import type { ToolSet } from './tool-set.js';
import type { TraceRing } from './trace-ring.js';
import type { TurnState } from './turn-state.js';

/** What turns of one session share. */
export interface TurnHost {
  readonly lane: LaneState;
  readonly laneKey: string;
  readonly conversation: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly options: SessionOptions;
  readonly hooks: readonly HookEntry[];
  /** Names of hooks that keep nothing of a turn. */
  readonly borrowers: ReadonlySet<string>;
  toolSet(tools: readonly ITool[] | undefined): ToolSet;
  readonly prefix: PrefixMemory;
  readonly overhead: (layout: Layout) => number;
  readonly layOut: ReturnType<typeof createRequestLayout>;
  readonly check: MessageCheck;
  readonly trace: TraceRing;
  /** Histories whose calls and results are known to be paired. */
  readonly paired: WeakSet<readonly Stored[]>;
  stable: StableByAudience;
  readonly replays: Replays;
  model(): IChatModel;
  metBefore(state: AgentState): Promise<boolean>;
  readonly repeats: (text: string, history: readonly Stored[]) => boolean;
  onTrace(entry: TraceEntry): void;
  metric(metric: Metric): void;
}

export interface Begun {
  readonly turn: TurnState;
  /** True when the caller gave the turn its id. */
  readonly named: boolean;
  readonly snapshot: Snapshot;
  /** Messages of an expired question that enter the history with this turn; they stand at the end of `history`. */
  readonly dropped: readonly Stored[];
  readonly history: readonly Stored[];
  readonly model: IChatModel;
  readonly toolSet: ToolSet;
  readonly startMs: number;
}

/** What one run has of its own. */
export interface Running {
  readonly tools?: readonly ITool[] | undefined;
  readonly budgets: Budgets;
  readonly signal: AbortSignal;
  readonly stop: AbortSignal;
  /** True when the time limit was reached. */
  outOfTime(): boolean;
  emit(event: TurnEvent): void;
  /** True when `emit` tells somebody. */
  readonly isHeard: boolean;
}
