import {
  type AgentState,
  type Batch,
  type Commit,
  type GMIEvent,
  isAgentosError,
  type Json,
  type LaneStore,
  type Logged,
  relogOperations,
  type Snapshot,
  type Stored,
} from '@x/core';
import { LaneContendedError, TranscriptConflictError } from './errors.js';
import { MAX_PENDING_EVENTS } from './turn-state.js';

/** How often a commit is tried again on a newer revision. */
const COMMIT_TRIES = 8;

/** A change as it was made on an older snapshot; the commit puts it on the newest. */
export interface LaneChange {
  readonly turn: string;
  /** True when the caller named the turn, so that another process may commit the same one at the same time. */
  readonly named?: boolean | undefined;
  readonly conversation: string;
  readonly operations: readonly Logged[];
  /** The revision that the operations were made on, and the state after them; on another one they are made anew. */
  readonly made?: { readonly on: number; readonly state: AgentState } | undefined;
  readonly raised?: readonly GMIEvent[] | undefined;
  readonly consumed?: ReadonlySet<string> | undefined;
  readonly batches?: { readonly add?: readonly Batch[] | undefined; readonly done?: readonly string[] | undefined } | undefined;
  /** The new transcript, and the revision of the old one that it was made on. */
  readonly transcript?: { readonly madeOn: number; readonly change: Omit<NonNullable<Commit['conversation']>, 'id'> } | undefined;
  /** Called on each try with the newest snapshot; throws to refuse. */
  readonly check?: ((snapshot: Snapshot) => void) | undefined;
  readonly journal?: readonly Json[] | undefined;
}

/** The lane and the conversation after a commit. */
export interface Committed {
  readonly logged: readonly Logged[];
  readonly state: AgentState;
  readonly history: readonly Stored[];
  /** True when this was committed before, here or elsewhere: nothing has changed. */
  readonly replayed: boolean;
}

export interface LaneState {
  /** The newest known snapshot of a conversation. Its history grows with later commits: not for who keeps it. */
  load(conversation: string): Promise<Snapshot>;
  /** The same with a history that stays as it is. */
  loadToKeep(conversation: string): Promise<Snapshot>;
  /** Somebody else may have this history from now on, so that no later commit may change it. */
  keep(history: readonly Stored[]): void;
  /** @throws `transcript_conflict`, `lane_contended`, what the store throws. */
  commit(change: LaneChange): Promise<Committed>;
  /** Forgets what is known, so that the next load asks the store. */
  forget(): void;
}

type Head = Pick<Snapshot, 'revision' | 'state' | 'events' | 'batches'>;
type Conversation = Omit<Snapshot, keyof Head>;

/**
 * Holds what a lane's store said last, so that a turn needs no read; commits one at a time and, when somebody else was
 * first, loads anew and commits on that.
 *
 * @param fresh - True when other processes commit to this lane as a rule: then each load asks the store.
 */
export function createLaneState(store: LaneStore, { lane, fresh }: { readonly lane: string; readonly fresh: boolean }): LaneState {
  let head: Head | undefined;
  const conversations = new Map<string, Conversation>();
  /** Histories that nobody else has: they grow in place, since a copy of a long one for each turn is what a turn leaves most of. */
  const own = new WeakSet<readonly Stored[]>();
  let last: Promise<unknown> = Promise.resolve();
  let erasures = store.erasures?.() ?? 0;

  const forget = (): void => {
    head = undefined;
    conversations.clear();
  };

  const read = async (id: string): Promise<Snapshot> => {
    const snapshot = await store.load(id);
    const { revision, state, events, batches, ...conversation } = snapshot;
    if (head && revision < head.revision) return snapshotOf(head, conversation);
    if (head && revision !== head.revision) forget();
    head = { revision, state, events, batches };
    conversations.set(id, conversation);
    return snapshot;
  };
  const load = async (id: string): Promise<Snapshot> => {
    if (store.erasures && store.erasures() !== erasures) {
      erasures = store.erasures();
      forget();
    }
    const known = fresh ? undefined : conversations.get(id);
    return head && known ? snapshotOf(head, known) : read(id);
  };

  /** The history after a change of it. */
  const grown = (before: readonly Stored[], { replace, append }: NonNullable<LaneChange['transcript']>['change']): readonly Stored[] => {
    if (!replace && own.has(before)) {
      for (const message of append) (before as Stored[]).push(message);
      return before;
    }
    // concat makes a list of just this length; spreading two lists makes room for half as much again.
    const copy = (replace ?? before).concat(append);
    own.add(copy);
    return copy;
  };

  /** Two processes that commit one turn on one revision are told the same; only the transcript shows which of them wrote it. */
  const stands = async ({ conversation, transcript }: LaneChange): Promise<boolean> => {
    const last = (transcript?.change.append ?? transcript?.change.parked?.current)?.at(-1);
    if (last === undefined) return true;
    const { history, parked } = await store.load(conversation);
    return [history, parked?.current ?? []].some((list) => list.some((message) => message.id === last.id));
  };

  const attempt = async (change: LaneChange, snapshot: Snapshot): Promise<Committed> => {
    const { transcript } = change;
    if (transcript && snapshot.transcriptRevision !== transcript.madeOn) {
      throw new TranscriptConflictError(change.conversation);
    }
    change.check?.(snapshot);
    const asMade = change.made?.on === snapshot.revision;
    const { state, logged } =
      asMade && change.made ? { state: change.made.state, logged: change.operations } : relogOperations(snapshot.state, change.operations);
    const events = pendingEvents(snapshot.events, change);
    const add = change.batches?.add ?? [];
    const done = change.batches?.done ?? [];
    const { revision } = await store.commit({
      revision: snapshot.revision,
      turn: change.turn,
      operations: logged,
      events,
      batches: { add, done },
      ...(transcript && { conversation: { id: change.conversation, ...transcript.change } }),
      ...(change.journal?.length && { journal: change.journal }),
    });
    if (revision !== snapshot.revision + 1 || (fresh && change.named && !(await stands(change)))) {
      forget(); // the same turn was committed before: what is known here is older than the store
      const now = await load(change.conversation);
      return { logged, state: now.state, history: now.history, replayed: true };
    }
    const batches =
      add.length === 0 && done.length === 0 ? snapshot.batches : snapshot.batches.concat(add).filter((batch) => !done.includes(batch.id));
    head = { revision, state, events, batches };
    const { history, blocks, stableHash, parked, transcriptRevision } = snapshot;
    const now: Conversation = transcript
      ? {
          transcriptRevision: transcriptRevision + 1,
          history: grown(history, transcript.change),
          blocks: transcript.change.blocks,
          stableHash: transcript.change.stableHash,
          parked: transcript.change.parked,
        }
      : { transcriptRevision, history, blocks, stableHash, parked };
    conversations.set(change.conversation, now);
    return { logged, state, history: now.history, replayed: false };
  };

  const commit = async (change: LaneChange) => {
    let snapshot = await load(change.conversation);
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt(change, snapshot);
      } catch (error) {
        if (!isAgentosError(error) || error.code !== 'revision_conflict') {
          if (isAgentosError(error) && error.code === 'transcript_conflict') forget();
          throw error;
        }
        if (tries >= COMMIT_TRIES) throw new LaneContendedError({ lane, tries, cause: error });
        forget();
        snapshot = await load(change.conversation);
      }
    }
  };

  return {
    load,
    async loadToKeep(id) {
      const snapshot = await load(id);
      own.delete(snapshot.history);
      return snapshot;
    },
    keep: (history) => void own.delete(history),
    forget,
    commit(change) {
      const next = last.then(() => commit(change));
      last = next.catch(() => {});
      return next;
    },
  };
}

// By name: a spread of two objects costs several times as much, and a turn asks often.
function snapshotOf(head: Head, { transcriptRevision, history, blocks, stableHash, parked }: Conversation): Snapshot {
  const { revision, state, events, batches } = head;
  return { revision, state, events, batches, transcriptRevision, history, blocks, stableHash, parked };
}

function pendingEvents(events: Snapshot['events'], { consumed, raised = [] }: LaneChange): Snapshot['events'] {
  const left = consumed?.size && events.length > 0 ? events.filter((event) => !consumed.has(event.eventType)) : events;
  return raised.length === 0 ? left : left.concat(raised).slice(-MAX_PENDING_EVENTS);
}
