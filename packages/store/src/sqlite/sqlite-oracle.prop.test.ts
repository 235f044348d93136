import fc from 'fast-check';
import { describe, test } from 'vitest';
import { commands, sameAsMemory } from '../../test/commit-model.js';
import { sqliteDrivers, temporaryDirectory } from '../../test/sqlite-here.js';
import { sqliteStore } from './sqlite-store.js';

const { there } = await sqliteDrivers();

describe.skipIf(there.length === 0)(`SQLite${there.length === 0 ? ': left out, no driver can be loaded here' : ''}`, () => {
  for (const [name, driver] of there) {
    test(`any commits leave the same in ${name} as in memory, over restarts too`, { timeout: 60_000 }, async () => {
      const directory = temporaryDirectory();
      let count = 0;
      const create = async (options: Pick<Parameters<typeof sqliteStore>[0], 'clock' | 'random'>) => {
        const path = `${directory.path}/${count++}.db`;
        const open = () => sqliteStore({ path, driver, durability: 'normal', ...options });
        let store = open();
        return {
          store,
          async reopen() {
            await store.close();
            store = open();
            return store;
          },
          close: () => store.close(),
        };
      };
      try {
        await fc.assert(
          fc.asyncProperty(commands, (list) => sameAsMemory(list, create)),
          { numRuns: 40 },
        );
      } finally {
        directory.remove();
      }
    });
  }
});
