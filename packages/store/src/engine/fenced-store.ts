import { type Commit, FenceStaleError, type IAgentStore, type LaneStore } from '@x/core';

/** What a lease asks of the commits made under it. */
export interface FencedStoreOptions {
  readonly store: IAgentStore;
  readonly lane: string;
  readonly token: number;
  /** True when the store itself refuses commits with an older number. */
  readonly storeKnowsTokens: boolean;
  /** The number of the lease that holds the lane now. */
  current(): number;
}

/** A store whose commits carry a lease. State alone, as of background work, may be committed without: its turn names it once. */
export function fencedStore({ store, lane, token, storeKnowsTokens, current }: FencedStoreOptions): IAgentStore {
  return {
    async open(scope, options): Promise<LaneStore> {
      const inner = await store.open(scope, options);
      return {
        memory: inner.memory,
        load: (conversation, loadOptions) => inner.load(conversation, loadOptions),
        operations: (after, readOptions) => inner.operations(after, readOptions),
        journal: (turn) => inner.journal(turn),
        erasures: () => inner.erasures?.() ?? 0,
        async commit(change: Commit) {
          if (!change.conversation) return inner.commit(change);
          if (current() !== token) throw new FenceStaleError({ lane, fence: token, seen: current() });
          return inner.commit(storeKnowsTokens ? { ...change, fence: token } : change);
        },
      };
    },
  };
}
