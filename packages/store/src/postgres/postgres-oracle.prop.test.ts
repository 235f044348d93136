import fc from 'fast-check';
import { afterAll, describe, test } from 'vitest';
import { commands, sameAsMemory } from '../../test/commit-model.js';
import { DATABASE_URL, temporarySchema } from '../../test/postgres-here.js';
import { postgresStore } from './postgres-store.js';

describe.skipIf(!DATABASE_URL)(DATABASE_URL ? 'PostgreSQL' : 'PostgreSQL: left out, DATABASE_URL is not set', () => {
  const { pool, newSchema, remove } = temporarySchema();
  afterAll(remove);
  test('any commits leave the same in PostgreSQL as in memory', { timeout: 120_000 }, async () => {
    const schema = newSchema();
    const create = async (options: Pick<Parameters<typeof postgresStore>[0], 'clock' | 'random'>) => {
      const open = () => postgresStore({ pool, schema, ...options });
      const store = open();
      const tables = await store.transaction((query) =>
        query<{ readonly name: string }>('SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1', [schema]),
      );
      const emptied = tables.filter(({ name }) => name !== 'schema_version').map(({ name }) => `${schema}.${name}`);
      await store.transaction((query) => query(`TRUNCATE ${emptied.join(', ')}`));
      return { store, reopen: async () => open(), close: async () => {} };
    };
    await fc.assert(
      fc.asyncProperty(commands, (list) => sameAsMemory(list, create)),
      { numRuns: 6 },
    );
  });
});
