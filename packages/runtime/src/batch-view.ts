import {
  type AgentState,
  type Batch,
  type BatchWork,
  type Clock,
  createId,
  type Logged,
  LoggedState,
  type Random,
  type TraceEntry,
} from '@x/core';
import { TurnOverError } from './errors.js';

export interface BatchStart {
  readonly batch: Batch;
  /** The hook whose batch it is; the log's `by`. */
  readonly by: string;
  readonly state: AgentState;
  /** May grow; those who read the batch see it as it is now. */
  readonly history: BatchWork['history'];
  readonly resolveModel: BatchWork['resolveModel'];
  readonly traceLog: () => readonly TraceEntry[];
  readonly trace: BatchWork['trace'];
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly random: Random;
}

/** One batch as its hook sees it, and what it gathers until its commit. A class for the reason that `TurnView` has. */
export class BatchView implements BatchWork {
  readonly resolveModel: BatchWork['resolveModel'];
  readonly signal: AbortSignal;
  readonly atMs: number;
  readonly apply: BatchWork['apply'];
  readonly trace: BatchWork['trace'];
  readonly #start: BatchStart;
  readonly #logged: LoggedState;
  readonly #length: number;
  #history: BatchWork['history'] | undefined;
  #isOver = false;

  constructor(start: BatchStart) {
    this.#length = start.history.length;
    this.resolveModel = start.resolveModel;
    this.signal = start.signal;
    this.atMs = start.clock.now();
    // Functions and not methods: hooks take them out of their batch.
    const apply: BatchWork['apply'] = (operation, why) => this.#apply(operation, why);
    const trace: BatchWork['trace'] = (entry) => {
      this.#checkOpen();
      start.trace(entry);
    };
    this.apply = apply;
    this.trace = trace;
    this.#start = start;
    this.#logged = new LoggedState(start.state);
  }

  get state(): AgentState {
    return this.#logged.state;
  }

  get history(): BatchWork['history'] {
    this.#history ??= this.#start.history.slice(0, this.#length);
    return this.#history;
  }

  get traceLog(): readonly TraceEntry[] {
    return this.#start.traceLog();
  }

  /** From here on its hook can do nothing more. @returns What it applied. */
  close(): readonly Logged[] {
    this.#isOver = true;
    return this.#logged.log;
  }

  #apply(...[operation, why]: Parameters<BatchWork['apply']>): void {
    this.#checkOpen();
    const { batch, by, clock, random, trace } = this.#start;
    const cause = { by, why, turn: batch.turn, atMs: clock.now() };
    this.#logged.apply(createId('op', random), operation, cause);
    const { from, to } = this.#logged.log.at(-1)!;
    if (!('put' in operation) && !('unset' in operation))
      trace({ type: 'STATE_CHANGE', message: `${by} changed the state`, details: { from, to, why } });
  }

  #checkOpen(): void {
    if (this.#isOver) throw new TurnOverError(this.#start.batch.turn);
  }
}
