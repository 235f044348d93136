import { AgentosError, InvalidArgumentError } from './errors.js';
import type { GMIEvent } from './events.js';
import type { Json } from './json.js';
import type { Block } from './layout.js';
import type { IWorkingMemory } from './memory.js';
import type { ChatMessage, Stored } from './messages.js';
import type { Logged, OperationKind } from './operations.js';
import type { AgentState } from './state.js';
import type { PendingRequest } from './tools.js';
import type { Batch } from './turn.js';

/** What one lane is: a persona with a user in a session, or a persona directory, which owns one memory. */
export type LaneScope =
  | { readonly persona: string; readonly user: string; readonly session: string }
  /** A real path. */
  | { readonly directory: string };

/** A turn that waits for a human: what was done so far, and the question. */
export interface Parked {
  readonly turn: string;
  readonly current: readonly Stored[];
  /** The call that waits. */
  readonly callId: string;
  readonly request: PendingRequest;
}

/** What a lane and one of its conversations hold. */
export interface Snapshot {
  /** Of the lane; 0 before the first commit. */
  readonly revision: number;
  readonly state: AgentState;
  readonly events: readonly GMIEvent[];
  readonly batches: readonly Batch[];
  /** Of the conversation; 0 before its first message. */
  readonly transcriptRevision: number;
  readonly history: readonly Stored[];
  readonly blocks: readonly Block[];
  readonly stableHash?: string | undefined;
  readonly parked?: Parked | undefined;
}

/** One change of a lane, all of it or nothing. */
export interface Commit {
  /** The revision it was made on. */
  readonly revision: number;
  /** What it belongs to, a turn or a batch; the same one committed twice changes nothing and returns the first revision. */
  readonly turn: string;
  /** A lease's number; a commit with a lower one than the lane has seen is refused. */
  readonly fence?: number | undefined;
  readonly operations: readonly Logged[];
  /** The whole set of pending events after this commit. */
  readonly events: readonly GMIEvent[];
  readonly batches: { readonly add: readonly Batch[]; readonly done: readonly string[] };
  readonly conversation?:
    | {
        readonly id: string;
        /** The history before `append`, when a fold or a prune changed it. */
        readonly replace?: readonly Stored[] | undefined;
        readonly append: readonly Stored[];
        readonly blocks: readonly Block[];
        readonly stableHash: string;
        readonly parked?: Parked | undefined;
      }
    | undefined;
  /** Raw records by which a turn can be rebuilt later. */
  readonly journal?: readonly Json[] | undefined;
}

/** Which operations to read. */
export interface OperationsWanted {
  /** Default `this`. */
  readonly sessions?: 'this' | 'all' | undefined;
  readonly kind?: OperationKind | undefined;
}

/** One lane of a store. */
export interface LaneStore {
  readonly memory: IWorkingMemory;
  /** `original`: every message ever said, from before all folds; summaries are not among them. */
  load(conversation: string, options?: { readonly original?: boolean | undefined }): Promise<Snapshot>;
  /** @throws {@link RevisionConflictError}, {@link FenceStaleError}; then nothing has changed. */
  commit(commit: Commit): Promise<{ readonly revision: number }>;
  /**
   * Operations in the order of their commits, whatever the clock said; `after`: only those after the one of this id;
   * `sessions: 'all'`: of every session of this persona and user; `kind`: only operations of this kind. Throws
   * `invalid_argument` on reading when none has the id.
   */
  operations(after?: string, options?: OperationsWanted): AsyncIterable<Logged>;
  /** The journal of one turn, in the order it was committed. */
  journal(turn: string): Promise<readonly Json[]>;
  /**
   * How often lanes were erased through this store, where it can erase: once the number has grown, what a reader
   * remembers of the lane may be gone and must be loaded anew.
   */
  erasures?(): number;
}

/** Where agents live. */
export interface IAgentStore {
  /** `initial` is the state of a lane that has no commits yet. */
  open(scope: LaneScope, options?: { readonly initial?: Partial<AgentState> | undefined }): Promise<LaneStore>;
}

/** A host's own store of transcripts, as in the seed. */
export interface IConversationStore {
  get(id: string): Promise<readonly ChatMessage[] | undefined>;
  save(id: string, messages: readonly ChatMessage[]): Promise<void>;
}

/** Somebody else committed to the lane first. Load again and commit on the new revision. */
export class RevisionConflictError extends AgentosError {
  override readonly name = 'RevisionConflictError';
  readonly code = 'revision_conflict';
  readonly retryable = true;
  /** The revision the lane has now. */
  readonly revision: number;
  constructor({ lane, expected, revision }: { lane: string; expected: number; revision: number }) {
    super(`Lane ${lane} is at revision ${revision}, not ${expected}. Load it again and commit on that.`);
    this.revision = revision;
  }
}

/** A worker whose lease ran out tried to commit; another has taken over. */
export class FenceStaleError extends AgentosError {
  override readonly name = 'FenceStaleError';
  readonly code = 'fence_stale';
  readonly retryable = false;
  constructor({ lane, fence, seen }: { lane: string; fence: number; seen: number }) {
    super(`Lane ${lane} has seen lease ${seen}; lease ${fence} is over. Drop this work: its new owner does it.`);
  }
}

/**
 * One string for a lane, the same for equal scopes and different for different ones.
 *
 * @throws `invalid_argument` for a scope with a part that is no string: two of those could meet in one lane.
 */
export function laneKey(scope: LaneScope): string {
  if (isDirectory(scope)) return `dir:${partOf(scope.directory, 'directory')}`;
  const { persona, user, session } = scope ?? {};
  return `${ownerKey(persona, user)}${encodePart(partOf(session, 'session'))}`;
}

/** The start of the keys of all lanes that share a persona and a user with this one. @throws `invalid_argument` */
export function sessionsPrefix(scope: LaneScope): string {
  return isDirectory(scope) ? laneKey(scope) : ownerKey(scope?.persona, scope?.user);
}

function ownerKey(persona: unknown, user: unknown): string {
  return `${encodePart(partOf(persona, 'persona'))}/${encodePart(partOf(user, 'user'))}/`;
}

function isDirectory(scope: LaneScope | undefined): scope is { readonly directory: string } {
  return typeof scope === 'object' && scope !== null && 'directory' in scope;
}

function partOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new InvalidArgumentError(
    `A scope is { persona, user, session } or { directory }, all of them strings; ${name} is of type ${value === null ? 'null' : typeof value}.`,
  );
}

// Half of a surrogate pair has no UTF-8 form, and encodeURIComponent would throw; `%u` is how no other text begins.
function encodePart(text: string): string {
  if (PLAIN.test(text)) return text;
  if (!LONELY.test(text)) return encodeURIComponent(text);
  return text.replace(/\p{Cs}|\P{Cs}+/gu, (piece) =>
    LONELY.test(piece) ? `%u${piece.charCodeAt(0).toString(16)}` : encodeURIComponent(piece),
  );
}

/** What encodeURIComponent leaves as it is: nearly every name, and lanes are named several times a turn. */
const PLAIN = /^[\w.!~*'()-]*$/;
const LONELY = /\p{Cs}/u;
