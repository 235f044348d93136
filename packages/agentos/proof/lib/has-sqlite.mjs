import { sqliteStore } from '@x/store/sqlite';

/** Why the trials on SQLite cannot run here, or `undefined` when they can. */
export async function missingSqlite() {
  const store = sqliteStore({ path: ':memory:' });
  try {
    await (await store.open({ persona: 'p', user: 'u', session: 's' })).load('main');
    await store.close();
    return undefined;
  } catch (error) {
    if (error?.code === 'store_driver_missing') return 'better-sqlite3 is not compiled here (npm run build:sqlite)';
    throw error;
  }
}
