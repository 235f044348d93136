import { createMemoryStore, type IAgentStore } from '@x/core';
import { createVirtualClock } from '@x/testkit';
import { describe, test } from 'vitest';
import { type EngineNeeds, engineContract } from '../../test/engine-contract.js';
import { createLocalEngine } from './local-engine.js';

const create =
  (makeStore: () => IAgentStore) =>
  async ({ handle, onEvent, ...needs }: EngineNeeds) => {
    const clock = createVirtualClock(0);
    const engine = createLocalEngine({ store: makeStore(), handle, clock, onEvent, ...needs });
    return {
      engine,
      now: () => clock.now(),
      async until(condition: () => boolean | Promise<boolean>) {
        for (let turns = 0; turns < 10_000; turns += 1) {
          if (await condition()) return;
          await new Promise((done) => setImmediate(done));
          await clock.advance(10);
        }
        throw new Error('the condition never held');
      },
      close: () => engine.close({ timeoutMs: 0 }),
    };
  };

describe('the engine of one process', () => {
  for (const { title, run } of engineContract(1000)) test(title, () => run(create(() => createMemoryStore())));
});
