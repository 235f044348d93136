import { sqliteStore } from '@x/store/sqlite';

/** Whether a SQLite driver is built on this machine. A store loads it with the first read. */
export async function hasSqlite() {
  const store = sqliteStore({ path: ':memory:' });
  try {
    await (await store.open({ persona: 'p', user: 'u', session: 's' })).load('main');
    return true;
  } catch {
    return false;
  } finally {
    await store.close();
  }
}
