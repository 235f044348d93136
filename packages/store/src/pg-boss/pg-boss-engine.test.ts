import { afterAll, describe, expect, test, vi } from 'vitest';
import { type EngineNeeds, engineContract } from '../../test/engine-contract.js';
import { DATABASE_URL, temporarySchema } from '../../test/postgres-here.js';
import { postgresStore } from '../postgres/postgres-store.js';
import { isBefore } from './load-pg-boss.js';
import { pgBossEngine } from './pg-boss-engine.js';

const isOld = isBefore(process.versions.node, '22.12.0');
const why = isOld ? `: left out, Node is ${process.versions.node}` : DATABASE_URL ? '' : ': left out, DATABASE_URL is not set';

describe.skipIf(isOld || !DATABASE_URL)(`the engine of many processes${why}`, () => {
  const { pool, newSchema, remove } = temporarySchema();
  afterAll(remove);
  const create = async ({ handle, onEvent, ...needs }: EngineNeeds) => {
    const store = postgresStore({ pool, schema: newSchema() });
    const settings = {
      connectionString: DATABASE_URL ?? '',
      schema: newSchema(),
      workers: 2,
      maxConnections: 6,
      sweepMs: 500,
      leaseMs: 30_000,
      retryDelayMs: 50,
    };
    const engine = await pgBossEngine({ store, handle, onEvent, ...settings, ...needs });
    return {
      engine,
      now: () => Date.now(),
      // Other processes' work, which no clock of ours moves.
      until: (condition: () => boolean | Promise<boolean>) =>
        vi.waitFor(async () => expect(await condition()).toBe(true), { timeout: 90_000, interval: 50 }),
      close: () => engine.close({ timeoutMs: 200 }),
    };
  };
  test.concurrent('a turn put in by a transaction comes only if that commits', { timeout: 120_000 }, async () => {
    const seen: string[] = [];
    let ran = (): void => {};
    const first = new Promise<void>((resolve) => {
      ran = resolve;
    });
    const store = postgresStore({ pool, schema: newSchema() });
    const engine = await pgBossEngine({
      store,
      connectionString: DATABASE_URL ?? '',
      schema: newSchema(),
      workers: 1,
      handle: async ({ id }) => {
        seen.push(id);
        ran();
      },
    });
    const turn = (id: string) => ({ scope: { directory: '/ava' }, id, input: null });
    const refused = store.transaction(async (query) => {
      expect(await engine.enqueueTurn(turn('taken back'), { query })).toEqual({ accepted: true });
      throw new RangeError('no');
    });
    await expect(refused).rejects.toThrow('no');
    await store.transaction((query) => engine.enqueueTurn(turn('kept'), { query }));
    await first;
    expect(seen).toEqual(['kept']);
    await engine.close({ timeoutMs: 200 });
  });

  for (const { title, run } of engineContract(4000)) test.concurrent(title, { timeout: 120_000 }, () => run(create));
});
