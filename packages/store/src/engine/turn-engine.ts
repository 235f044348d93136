import type { IAgentStore, Json, LaneScope } from '@x/core';

/**
 * `turns`: user messages and beats, one at a time per lane, in order. `batches`: background work of the same lanes, in
 * order among itself, beside the turns.
 */
export type EngineQueue = 'turns' | 'batches';

/** A turn that somebody wants. */
export interface TurnRequest {
  readonly scope: LaneScope;
  /** Names the turn within its lane and queue: the same one twice is one turn. Use the id of the inbound message. */
  readonly id: string;
  /** What the handler needs to run it. */
  readonly input: Json;
  /** Default `turns`. */
  readonly queue?: EngineQueue | undefined;
}

/** A turn that a worker has to run now. */
export interface Delivery extends TurnRequest {
  readonly queue: EngineQueue;
  /** The lane's key. */
  readonly lane: string;
  /** From 1; above it, an earlier worker died, was paused or failed in a way that may pass. */
  readonly attempt: number;
  /** The lease's number: it grows with every delivery of the lane. */
  readonly token: number;
  /** Aborted when the lease is over, the turn was cancelled or the engine closes. */
  readonly signal: AbortSignal;
}

/** A lease in the hand of its worker. */
export interface Fence {
  readonly token: number;
  /**
   * The store under this lease. A commit that changes a conversation is refused with `fence_stale` once the lease is over;
   * the commit of the turn itself also ends the delivery, both or neither where the engine can.
   */
  readonly store: IAgentStore;
  /** @throws `fence_stale` the lease is over: stop, another worker does this turn. */
  check(): Promise<void>;
}

/** One thing that a turn does outside. */
export interface Step {
  /** Names the step within its turn; the same on every attempt. */
  readonly id: string;
  readonly kind: 'model' | 'tool' | 'other';
  /**
   * After a crash in the middle: `idempotent` is done again, `keyed` again with the same key, `once` never: its outcome
   * is unknown then.
   */
  readonly repeat: 'idempotent' | 'keyed' | 'once';
  /** What was asked; another attempt that asks something else under the same id is refused with `step_changed`. */
  readonly request?: Json | undefined;
}

export type StepOutcome =
  | { readonly outcome: 'done'; readonly result: Json; readonly replayed: boolean }
  /** An earlier attempt began it and nobody knows how it ended. Tell the model and the human; do not do it again. */
  | { readonly outcome: 'unknown' };

/** A lane that stands still because its first turn used up its attempts. */
export interface Blocked {
  readonly queue: EngineQueue;
  readonly lane: string;
  readonly id: string;
  readonly attempts: number;
}

/** What an engine tells. A listener that throws is ignored. */
export type EngineEvent =
  | { readonly type: 'turn_done'; readonly queue: EngineQueue; readonly lane: string; readonly id: string; readonly attempt: number }
  /** The turn's outcome is its failure; the lane goes on with the next. `code` of the error, `attempts_exhausted`, or `unknown`. */
  | {
      readonly type: 'turn_failed';
      readonly queue: EngineQueue;
      readonly lane: string;
      readonly id: string;
      readonly attempt: number;
      readonly code: string;
      readonly error?: unknown;
    }
  /** It will be run again. */
  | { readonly type: 'turn_retried'; readonly queue: EngineQueue; readonly lane: string; readonly id: string; readonly attempt: number }
  /** A worker went on after its lease; nothing of that was kept. */
  | { readonly type: 'turn_superseded'; readonly queue: EngineQueue; readonly lane: string; readonly id: string; readonly attempt: number }
  /** With `onBlocked: 'hold'`: the lane waits until its turn is cancelled. */
  | { readonly type: 'lane_blocked'; readonly queue: EngineQueue; readonly lane: string; readonly id: string; readonly attempts: number }
  | { readonly type: 'engine_error'; readonly error: unknown };

/** What carries turns to workers. One contract for one process and for many. */
export interface TurnEngine {
  /** Puts a turn at the end of its lane. `accepted` is false when it was there before, also when it is long done. */
  enqueueTurn(turn: TurnRequest): Promise<{ readonly accepted: boolean }>;
  /** Puts a turn at the end of its lane once its time has come; one per key, the last one counts. */
  schedule(timed: { readonly key: string; readonly atMs: number; readonly turn: TurnRequest }): Promise<void>;
  /**
   * Takes back what waits, runs or blocks its lane; what runs is aborted and its commit refused. True when there was
   * something.
   */
  cancel(what: { readonly key: string } | Pick<TurnRequest, 'scope' | 'id' | 'queue'>): Promise<boolean>;
  /** The lease of a delivery. */
  fence(delivery: Delivery): Promise<Fence>;
  /**
   * Does a step unless an earlier attempt did: then its result comes back. Written before and after, under the lease.
   *
   * @param run - `key` names the step for the world outside, the same on every attempt.
   * @throws `fence_stale`, `step_changed`, what `run` throws: then a step that is not `once` may be done again.
   */
  journalStep(delivery: Delivery, step: Step, run: (call: { readonly key: string }) => Promise<Json>): Promise<StepOutcome>;
  /** Lanes that stand still. */
  listBlocked(): Promise<readonly Blocked[]>;
}

/** An engine that takes turns to a handler until it is closed. */
export interface RunningEngine extends TurnEngine {
  /** Lets what runs end, for at most `timeoutMs` (default 30,000), then aborts it; what waits stays where it is. */
  close(options?: { readonly timeoutMs?: number | undefined }): Promise<void>;
}

/**
 * Runs a turn. What it throws becomes the turn's outcome: errors with `retryable: true` after some more attempts, others
 * at once. The lane goes on.
 */
export type TurnHandler = (delivery: Delivery, engine: TurnEngine) => Promise<void>;
