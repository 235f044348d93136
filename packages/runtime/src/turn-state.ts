import {
  type AgentState,
  type Clock,
  createId,
  type GMIEvent,
  type Layout,
  type Logged,
  LoggedState,
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
  /** Names whose views are read at once and not kept. */
  readonly borrowers: ReadonlySet<string>;
  /** Told of a history that somebody may keep. */
  readonly keep: (history: Layout['history']) => void;
  readonly onTrace: (entry: TraceEntry) => void;
}

/** Everything a turn gathers until its commit. Hooks see it through {@link TurnState.as}, one view for each name. */
export class TurnState {
  readonly start: TurnStart;
  readonly atMs: number;
  layout: Layout;
  events: readonly GMIEvent[];
  signals: readonly string[] = [];
  readonly #logged: LoggedState;
  readonly #length: number;
  readonly raised: GMIEvent[] = [];
  readonly consumed = new Set<string>();
  over = false;
  /** What its views share: functions and not methods, since hooks take them out of their turn. */
  readonly shared: Pick<Turn, 'raise' | 'consume' | 'trace'>;
  readonly #views = new Map<string, Turn>();

  constructor(start: TurnStart) {
    this.start = start;
    this.atMs = start.clock.now();
    this.layout = start.layout;
    this.#length = start.layout.history.length;
    this.#logged = new LoggedState(start.state);
    this.events = start.events;
    const raise: Turn['raise'] = (event) => this.raise(event);
    const consume: Turn['consume'] = (eventTypes) => this.consume(eventTypes);
    const trace: Turn['trace'] = (entry) => this.trace(entry);
    this.shared = { raise, consume, trace };
  }

  get state(): AgentState {
    return this.#logged.state;
  }

  get operations(): readonly Logged[] {
    return this.#logged.log;
  }

  /** The layout for somebody who may keep it: its history stays as it is, also when the turn is over. */
  layoutToKeep(): Layout {
    const { layout, keep } = this.start;
    const { history } = layout;
    if (this.layout.history !== history) return this.layout;
    if (history.length === this.#length) keep(history);
    else this.layout = { ...this.layout, history: history.slice(0, this.#length) };
    return this.layout;
  }

  /** The turn as one hook or tool sees it; what it applies is logged under its name. */
  as(by: string): Turn {
    const known = this.#views.get(by);
    if (known) return known;
    const view = new TurnView(this, by);
    this.#views.set(by, view);
    return view;
  }

  apply(operation: Operation, why: string, by: string): void {
    this.#checkOpen();
    const { clock, id: turn, random } = this.start;
    const cause = { by, why, turn, atMs: clock.now() };
    this.#logged.apply(createId('op', random), operation, cause);
    if (!('put' in operation) && !('unset' in operation)) {
      const { from, to } = this.operations.at(-1)!;
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

  trace({ type, message, details }: Pick<TraceEntry, 'type' | 'message' | 'details'>): void {
    this.#checkOpen();
    const full: TraceEntry = { type, message, details, turn: this.start.id, atMs: this.start.clock.now() };
    this.start.trace.add(full);
    this.start.onTrace(full);
  }

  #checkOpen(): void {
    if (this.over) throw new TurnOverError(this.start.id);
  }
}

/**
 * The turn under one name. V8 puts the accessors of an object literal, and a function written into a property where it is
 * made, among the old objects at once: each would keep its whole turn alive until the next full collection. Hence a class
 * for the accessors, and constants for the functions.
 */
class TurnView implements Turn {
  readonly id: string;
  readonly lane: string;
  readonly input: Stored;
  readonly signal: AbortSignal;
  readonly origin: Stored['origin'];
  readonly atMs: number;
  readonly apply: Turn['apply'];
  readonly raise: Turn['raise'];
  readonly consume: Turn['consume'];
  readonly trace: Turn['trace'];
  readonly #turn: TurnState;
  readonly #borrows: boolean;

  constructor(turn: TurnState, by: string) {
    const { id, lane, input, signal, borrowers } = turn.start;
    this.#borrows = borrowers.has(by);
    this.id = id;
    this.lane = lane;
    this.input = input;
    this.signal = signal;
    this.origin = input.origin;
    this.atMs = turn.atMs;
    const apply: Turn['apply'] = (operation, why) => turn.apply(operation, why, by);
    this.apply = apply;
    const { raise, consume, trace } = turn.shared;
    this.raise = raise;
    this.consume = consume;
    this.trace = trace;
    this.#turn = turn;
  }

  get layout(): Layout {
    return this.#borrows ? this.#turn.layout : this.#turn.layoutToKeep();
  }

  get state(): AgentState {
    return this.#turn.state;
  }

  get events(): readonly GMIEvent[] {
    return this.#turn.events;
  }

  get signals(): readonly string[] {
    return this.#turn.signals;
  }

  get traceLog(): readonly TraceEntry[] {
    const { trace } = this.#turn.start;
    return this.#borrows ? trace.growing : trace.entries;
  }
}

function nameOf(operation: Operation): string {
  if ('set' in operation) return operation.set;
  if ('imprint' in operation) return `imprint ${operation.imprint}`;
  if ('trait' in operation) return `trait ${operation.trait}`;
  return 'put' in operation ? operation.put : operation.unset;
}
