import {
  createId,
  createMemoryStore,
  type IAgentStore,
  type IWorkingMemory,
  type LaneStore,
  type MemoryStoreOptions,
  toJson,
} from '@x/core';

/**
 * Makes a store whose lane is also visible in a host's own working memory. Before each load, keys that the host wrote
 * (such as `manual_trigger_<id>`) become logged operations; after each commit the host's copy shows the new state.
 */
export function shareMemory(
  host: IWorkingMemory,
  options: MemoryStoreOptions = {},
  inner: IAgentStore = createMemoryStore(options),
): IAgentStore {
  return {
    async open(scope, openOptions) {
      const lane = await inner.open(scope, openOptions);
      const mirrored = new Map<string, string>();
      const bridge = bridgeOf(host, lane, mirrored);
      await bridge.pull();
      return {
        memory: lane.memory,
        operations: lane.operations.bind(lane),
        journal: lane.journal.bind(lane),
        erasures: () => lane.erasures?.() ?? 0,
        async load(conversation, loadOptions) {
          await bridge.pull();
          return lane.load(conversation, loadOptions);
        },
        async commit(change) {
          const result = await lane.commit(change);
          await bridge.push();
          return result;
        },
      };
    },
  };
}

function bridgeOf(host: IWorkingMemory, lane: LaneStore, mirrored: Map<string, string>): { pull(): Promise<void>; push(): Promise<void> } {
  return {
    async pull() {
      for (const key of await host.keys()) {
        const value = await host.get(key);
        if (value === undefined) continue;
        const text = textOf(key, value);
        if (mirrored.get(key) === text) continue;
        await lane.memory.set(key, toJson(value, placeOf(key)));
        mirrored.set(key, text);
      }
      for (const key of [...mirrored.keys()]) {
        if (await host.has(key)) continue;
        await lane.memory.delete(key);
        mirrored.delete(key);
      }
    },
    async push() {
      const keys = await lane.memory.keys();
      for (const key of keys) {
        const value = await lane.memory.get(key);
        const text = JSON.stringify(value);
        if (value === undefined || mirrored.get(key) === text) continue;
        await host.set(key, value);
        mirrored.set(key, text);
      }
      for (const key of [...mirrored.keys()]) {
        if (keys.includes(key)) continue;
        await host.delete(key);
        mirrored.delete(key);
      }
    },
  };
}

/** @throws `json_value_invalid` where JSON cannot say the value at all, and says under which key it stands. */
function textOf(key: string, value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(toJson(value, placeOf(key)));
  }
}

const placeOf = (key: string): string => `$[${JSON.stringify(key)}]`;

/** An id for a GMI that nobody named. */
export const gmiId = (random?: () => number): string => createId('gmi', random);
