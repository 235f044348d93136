import { type Commit, isAgentosError, type LaneStore, type Logged, relogOperations, type Snapshot } from '@x/core';

/** What a commit adds to the lane as it is now. */
export interface Addition {
  /** Made on any revision; `from` and `to` are computed on the one they are committed on. */
  readonly operations: readonly Logged[];
  readonly events?: Commit['events'] | undefined;
  readonly batches?: Commit['batches'] | undefined;
}

const TRIES = 8;

/**
 * Commits on whatever revision the lane has: when another writer was first, the lane is loaded again and the addition
 * made anew.
 *
 * @param turn - What the commit belongs to; the same one again changes nothing.
 * @returns What was written, or `undefined` when this turn was committed before.
 * @throws `revision_conflict` when eight tries met another writer each time.
 */
export async function commitFresh(
  lane: LaneStore,
  conversation: string,
  turn: string,
  add: (now: Snapshot) => Addition,
): Promise<readonly Logged[] | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const now = await lane.load(conversation);
    const { operations, events = now.events, batches = { add: [], done: [] } } = add(now);
    const { logged } = relogOperations(now.state, operations);
    try {
      const { revision } = await lane.commit({ revision: now.revision, turn, operations: logged, events, batches });
      // A turn that is known already gets the revision that it had then.
      return revision > now.revision ? logged : undefined;
    } catch (error) {
      if (attempt >= TRIES || !isAgentosError(error) || error.code !== 'revision_conflict') throw error;
    }
  }
}
