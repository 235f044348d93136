import {
  type AgentState,
  type Clock,
  createId,
  type GMIEvent,
  type Layout,
  type Logged,
  logOperations,
  type Operation,
  type Random,
  type Stored,
  type TraceEntry,
  type Turn,
} from '@x/core';
import { TurnOverError } from './errors.js';
import type { TraceRing } from './trace-ring.js';

/** Pending events that a lane keeps; older ones leave. The figure is ours. */
export const MAX_PENDING_EVENTS = 200;

export interface TurnStart {
  readonly id: string;
  readonly lane: string;
  readonly input: Stored;
  readonly layout: Layout;
  readonly state: AgentState;
  /** Pending events of the lane. */
  readonly events: readonly GMIEvent[];
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly random: Random;
  readonly trace: TraceRing;
  readonly onTrace: (entry: TraceEntry) => void;
}

/** Everything a turn gathers until its commit. Hooks see it through {@link TurnState.as}, one view for each name. */
export class TurnState {
  readonly start: TurnStart;
  readonly atMs: number;
  layout: Layout;
  state: AgentState;
  events: readonly GMIEvent[];
  signals: readonly string[] = [];
  readonly operations: Logged[] = [];
  readonly raised: GMIEvent[] = [];
  readonly consumed = new Set<string>();
  over = false;
  readonly #views = new Map<string, Turn>();

  constructor(start: TurnStart) {
    this.start = start;
    this.atMs = start.clock.now();
    this.layout = start.layout;
    this.state = start.state;
    this.events = start.events;
  }

  /** The turn as one hook or tool sees it; what it applies is logged under its name. */
  as(by: string): Turn {
    const known = this.#views.get(by);
    if (known) return known;
    const view = createView(this, by);
    this.#views.set(by, view);
    return view;
  }

  apply(operation: Operation, why: string, by: string): void {
    this.#checkOpen();
    const { clock, id: turn, random } = this.start;
    const cause = { by, why, turn, atMs: clock.now() };
    const { state, logged } = logOperations(this.state, [operation], cause, () => createId('op', random));
    this.state = state;
    this.operations.push(...logged);
    const { from, to } = logged.at(-1)!;
    if (!('put' in operation) && !('unset' in operation)) {
      this.trace({ type: 'STATE_CHANGE', message: `${by}: ${nameOf(operation)} changed`, details: { from, to, why } });
    }
  }

  raise(event: Pick<GMIEvent, 'eventType' | 'severity' | 'metadata'>): void {
    this.#checkOpen();
    const raised = { ...event, timestamp: new Date(this.start.clock.now()).toISOString(), turnId: this.start.id };
    this.raised.push(raised);
    this.events = [...this.events, raised].slice(-MAX_PENDING_EVENTS);
  }

  consume(eventTypes: readonly string[]): void {
    this.#checkOpen();
    for (const type of eventTypes) this.consumed.add(type);
    this.events = this.events.filter((event) => !eventTypes.includes(event.eventType));
  }

  trace(entry: Pick<TraceEntry, 'type' | 'message' | 'details'>): void {
    this.#checkOpen();
    const full = { ...entry, turn: this.start.id, atMs: this.start.clock.now() };
    this.start.trace.add(full);
    this.start.onTrace(full);
  }

  #checkOpen(): void {
    if (this.over) throw new TurnOverError(this.start.id);
  }
}

function createView(turn: TurnState, by: string): Turn {
  const { id, lane, input, signal } = turn.start;
  return {
    id,
    lane,
    input,
    signal,
    origin: input.origin,
    atMs: turn.atMs,
    get layout() {
      return turn.layout;
    },
    get state() {
      return turn.state;
    },
    get events() {
      return turn.events;
    },
    get signals() {
      return turn.signals;
    },
    get traceLog() {
      return turn.start.trace.entries;
    },
    apply: (operation, why) => turn.apply(operation, why, by),
    raise: (event) => turn.raise(event),
    consume: (eventTypes) => turn.consume(eventTypes),
    trace: (entry) => turn.trace(entry),
  };
}

function nameOf(operation: Operation): string {
  if ('set' in operation) return operation.set;
  if ('imprint' in operation) return `imprint ${operation.imprint}`;
  if ('trait' in operation) return `trait ${operation.trait}`;
  return 'put' in operation ? operation.put : operation.unset;
}
