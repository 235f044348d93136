import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadBetterSqlite, loadNodeSqlite, type OpenDatabase } from '../src/sqlite/driver.js';

/** The SQLite drivers that can be loaded here, by name, and the names of those that cannot. */
export async function sqliteDrivers(): Promise<{
  readonly there: readonly (readonly [name: string, load: () => Promise<OpenDatabase>])[];
  readonly missing: readonly string[];
}> {
  const there: (readonly [string, () => Promise<OpenDatabase>])[] = [];
  const missing: string[] = [];
  for (const [name, load] of [
    ['better-sqlite3', loadBetterSqlite],
    ['node:sqlite', loadNodeSqlite],
  ] as const) {
    try {
      await load();
      there.push([name, load]);
    } catch {
      missing.push(name);
    }
  }
  return { there, missing };
}

/** A new directory for one test, and how to remove it. */
export function temporaryDirectory(): { readonly path: string; readonly file: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'x-store-'));
  return { path, file: join(path, 'agents.db'), remove: () => rmSync(path, { recursive: true, force: true }) };
}
