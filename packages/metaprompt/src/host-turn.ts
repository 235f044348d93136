import {
  type AgentState,
  type BatchWork,
  type Change,
  type ChatMessage,
  type Clock,
  type GMIEvent,
  type IChatModel,
  InvalidArgumentError,
  type ResolveModel,
  type Sender,
  type Snapshot,
  type Stored,
  type TraceEntry,
  type Turn,
} from '@x/core';
import type { CollectedChanges } from './collect-changes.js';
import { withoutStrangers } from './speaker.js';

/** What turns and batches of one executor have in common. */
export interface Surroundings {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly traceLog: readonly TraceEntry[];
}

/** A turn that a host's own loop has finished, as a hook sees one. */
export interface FinishedTurn {
  readonly id: string;
  readonly laneKey: string | undefined;
  readonly countTurn: boolean;
  readonly sender?: Sender | undefined;
  /** What is pending in the lane, and what was noticed in this turn. */
  readonly events: readonly GMIEvent[];
}

/**
 * A host's turn as the hook sees it. What is applied goes into `work`; `events` is what the hook left of them. A class, as
 * V8 would keep the accessors of an object literal, and all they reach, until a full collection.
 */
export class HostTurn implements Turn {
  readonly id: string;
  readonly lane: string;
  readonly origin: Turn['origin'];
  readonly input: Stored;
  readonly layout: Turn['layout'];
  readonly signals: readonly string[] = [];
  readonly traceLog: readonly TraceEntry[];
  readonly signal: AbortSignal;
  readonly atMs: number;
  readonly apply: Turn['apply'];
  readonly trace: Turn['trace'];
  readonly consume: Turn['consume'];
  readonly #work: CollectedChanges;
  #events: readonly GMIEvent[];

  constructor(
    { id, laneKey, countTurn, sender, events }: FinishedTurn,
    { history }: Pick<Snapshot, 'history'>,
    work: CollectedChanges,
    { clock, signal, traceLog }: Surroundings,
  ) {
    this.id = id;
    this.lane = laneKey ?? (sender && !sender.owner ? 'dir:' : '');
    this.origin = countTurn ? 'user' : 'internal';
    this.input = { id, role: 'user', content: '', origin: this.origin, ...(sender && { sender }) };
    this.layout = { stable: {}, tools: [], history, blocks: [], volatile: {}, current: [this.input] };
    this.traceLog = traceLog;
    this.signal = signal;
    this.atMs = clock.now();
    this.apply = work.change.apply;
    this.trace = work.change.trace;
    // A function and not a method: hooks take it out of their turn.
    const consume: Turn['consume'] = (types) => {
      this.#events = this.#events.filter((event) => !types.includes(event.eventType));
    };
    this.consume = consume;
    this.#work = work;
    this.#events = events;
  }

  get state(): AgentState {
    return this.#work.state();
  }

  get events(): readonly GMIEvent[] {
    return this.#events;
  }

  raise(): void {
    // Events of a host's own loop come with the turn.
  }
}

export interface HostTalk {
  /**
   * The key of the lane, `laneKey(scope)`. In a directory's lane, `dir:…`, what strangers say is no evidence, and their
   * turns change the mood alone. Without a key every sender who does not own the agent is taken for a stranger.
   */
  readonly laneKey?: string | undefined;
  /** How a metaprompt gets its model; `model` for all of them is the short form. */
  readonly resolveModel?: ResolveModel | undefined;
  readonly model?: IChatModel | undefined;
  /** The transcript, for hosts that keep it themselves; default: the lane's. */
  readonly history?: (() => readonly ChatMessage[]) | undefined;
}

/** The lane as it is now, as a batch that runs sees it. A class for the reason that {@link HostTurn} has. */
export class HostWork implements BatchWork {
  readonly history: readonly Stored[];
  readonly resolveModel: ResolveModel;
  readonly traceLog: readonly TraceEntry[];
  readonly signal: AbortSignal;
  readonly atMs: number;
  readonly apply: BatchWork['apply'];
  readonly trace: BatchWork['trace'];
  readonly #state: () => AgentState;

  constructor(
    now: Pick<Snapshot, 'history'>,
    { state, change }: Pick<CollectedChanges, 'state'> & { readonly change: Change },
    { laneKey, model, resolveModel = () => required(model), history }: HostTalk,
    { clock, signal, traceLog }: Surroundings,
  ) {
    const talk = history ? history().map(asStored) : now.history;
    this.history = laneKey === undefined ? withoutStrangers(talk) : talk;
    this.resolveModel = resolveModel;
    this.traceLog = traceLog;
    this.signal = signal;
    this.atMs = clock.now();
    this.apply = change.apply;
    this.trace = change.trace;
    this.#state = state;
  }

  get state(): AgentState {
    return this.#state();
  }
}

function asStored(message: ChatMessage, index: number): Stored {
  const origin =
    message.origin ??
    (message.role === 'assistant' || message.role === 'tool' ? message.role : message.role === 'user' ? 'user' : 'internal');
  return { ...message, id: message.id ?? `message-${index}`, origin };
}

function required(model: IChatModel | undefined): IChatModel {
  if (!model) throw new InvalidArgumentError('This metaprompt has no local handler and the executor has no model.');
  return model;
}
