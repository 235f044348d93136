import { storeContract } from '@x/core/contracts';
import { afterAll, describe, test } from 'vitest';
import { durableContract } from '../../test/durable-contract.js';
import { DATABASE_URL, temporarySchema } from '../../test/postgres-here.js';
import { postgresStore } from './postgres-store.js';

const title = DATABASE_URL ? 'PostgreSQL' : 'PostgreSQL: left out, DATABASE_URL is not set';

describe.skipIf(!DATABASE_URL)(title, () => {
  const { pool, newSchema, remove } = temporarySchema();
  afterAll(remove);
  const create = async () => {
    const schema = newSchema();
    const own = postgresStore({ connectionString: DATABASE_URL, schema, maxConnections: 2 });
    return {
      store: postgresStore({ pool, schema }),
      reopen: async () => own,
      close: () => own.close(),
    };
  };
  for (const { title: fact, run } of storeContract(create)) test(fact, run);
  for (const { title: fact, run } of durableContract) {
    test(fact, () =>
      run(async () => {
        const { store, reopen, close } = await create();
        return { store, again: reopen, close };
      }),
    );
  }
});
