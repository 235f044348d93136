import { storeContract } from '@x/core/contracts';
import { describe, test } from 'vitest';
import { durableContract } from '../../test/durable-contract.js';
import { sqliteDrivers, temporaryDirectory } from '../../test/sqlite-here.js';
import { sqliteStore } from './sqlite-store.js';

const { there, missing } = await sqliteDrivers();

for (const name of missing) describe.skip(`${name} cannot be loaded here`, () => test('the contract', () => {}));

for (const [name, driver] of there) {
  describe(name, () => {
    const create = async () => {
      const directory = temporaryDirectory();
      const stores = [sqliteStore({ path: directory.file, driver })];
      return {
        store: stores[0]!,
        async reopen() {
          const again = sqliteStore({ path: directory.file, driver });
          stores.push(again);
          return again;
        },
        async close() {
          await Promise.all(stores.map((store) => store.close()));
          directory.remove();
        },
      };
    };
    for (const { title, run } of storeContract(create)) test(title, run);
    for (const { title, run } of durableContract) {
      test(title, () =>
        run(async () => {
          const { store, reopen, close } = await create();
          return { store, again: reopen, close };
        }),
      );
    }
  });
}
