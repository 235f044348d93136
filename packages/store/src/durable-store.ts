import type { IAgentStore, LaneScope } from '@x/core';
import type { Schedule } from './schedule.js';

/** All sessions of a user with a persona, or one lane. */
export type ForgetScope = LaneScope | { readonly persona: string; readonly user: string; readonly session?: undefined };

/** A store that outlives its process. */
export interface DurableStore extends IAgentStore {
  /** What is due when, for beats and other timed work. */
  readonly schedule: Schedule;
  /**
   * Starts a lease of the lane: from now on a commit with a lower `fence` is refused, also before the new owner's
   * first commit. Numbers only grow, over all processes.
   */
  takeFence(scope: LaneScope): Promise<number>;
  /**
   * Erases transcript, state, operation log, journal and schedule entries (those whose key is the lane's key, or the lane's key, `#` and more)
   * of one lane, or of all sessions of a persona and user. Handles that are open see an empty lane.
   */
  forget(scope: ForgetScope): Promise<void>;
  /** Waits for nothing: what was acknowledged is on disk. Later calls fail with `store_closed`. */
  close(): Promise<void>;
}

/** What a store tells beside its results. A listener that throws is ignored. */
export type StoreEvent =
  /** A record could not be read, was moved out of the way with its bytes, and the rest was used. */
  | { readonly type: 'record_set_aside'; readonly table: string; readonly lane: string; readonly record: string }
  /** An unreadable state was made again from the operation log. */
  | { readonly type: 'state_rebuilt'; readonly lane: string }
  /** The database file could not be read and was renamed. */
  | { readonly type: 'file_set_aside'; readonly path: string; readonly setAside: string }
  /** A new database was begun although an unreadable one lies beside it, as `onCorrupt: 'empty'` allows. */
  | { readonly type: 'started_empty'; readonly path: string; readonly setAside: readonly string[] }
  /** A lane was forgotten, but files that were set aside may still hold it: delete them by hand. */
  | { readonly type: 'set_aside_remains'; readonly setAside: readonly string[] }
  /** Old journal entries could not be deleted; a later commit tries again. */
  | { readonly type: 'prune_failed'; readonly error: unknown }
  /** The schema was brought up to date. */
  | { readonly type: 'migrated'; readonly from: number; readonly to: number };

/** Calls a listener that may throw. */
export function tell(listener: ((event: StoreEvent) => void) | undefined, event: StoreEvent): void {
  try {
    listener?.(event);
  } catch {
    // A listener's fault is the listener's: the store's work goes on.
  }
}
