import {
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

/** Shows a host's turn to the hook. What is applied goes into `work`; `pending` is what the hook left of the events. */
export function turnOf(
  { id, laneKey, countTurn, sender, events }: FinishedTurn,
  { history }: Pick<Snapshot, 'history'>,
  work: CollectedChanges,
  { clock, signal, traceLog }: Surroundings,
): { readonly turn: Turn; readonly pending: () => readonly GMIEvent[] } {
  let pending = events;
  const origin = countTurn ? 'user' : 'internal';
  const input: Stored = { id, role: 'user', content: '', origin, ...(sender && { sender }) };
  const turn: Turn = {
    ...work.change,
    get state() {
      return work.state();
    },
    get events() {
      return pending;
    },
    id,
    lane: laneKey ?? (sender && !sender.owner ? 'dir:' : ''),
    origin,
    input,
    layout: { stable: {}, tools: [], history, blocks: [], volatile: {}, current: [input] },
    signals: [],
    traceLog,
    signal,
    atMs: clock.now(),
    raise: () => undefined,
    consume(types) {
      pending = pending.filter((event) => !types.includes(event.eventType));
    },
  };
  return { turn, pending: () => pending };
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

/** Shows the lane as it is now to a batch that runs. */
export function workOf(
  now: Pick<Snapshot, 'history'>,
  work: Pick<CollectedChanges, 'state'> & { readonly change: Change },
  { laneKey, model, resolveModel = () => required(model), history }: HostTalk,
  { clock, signal, traceLog }: Surroundings,
): BatchWork {
  const talk = history ? history().map(asStored) : now.history;
  return {
    ...work.change,
    get state() {
      return work.state();
    },
    history: laneKey === undefined ? withoutStrangers(talk) : talk,
    traceLog,
    resolveModel,
    signal,
    atMs: clock.now(),
  };
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
