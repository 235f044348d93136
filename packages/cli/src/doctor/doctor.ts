import { existsSync } from 'node:fs';
import { sqliteStore } from '@x/store/sqlite';
import type { Finding } from './finding.js';
import { folderFindings } from './folder-findings.js';
import { sessionFindings } from './session-findings.js';

export interface DoctorOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly nowMs: number;
  /** The SQLite file that keeps the folder's sessions and its schedule. */
  readonly db?: string | undefined;
}

/** Looks at a persona folder, at the keys in the environment, and at the sessions in a file. Changes nothing. */
export async function doctor(dir: string, { environment, nowMs, db }: DoctorOptions): Promise<readonly Finding[]> {
  const folder = folderFindings(dir);
  const sessions = db !== undefined && existsSync(dir) ? await fileFindings(dir, db, nowMs) : [];
  return [...folder, ...sessions, keyFinding(environment)];
}

async function fileFindings(dir: string, db: string, nowMs: number): Promise<readonly Finding[]> {
  // Opening it would make it.
  if (!existsSync(db))
    return [{ severity: 'error', what: `There is no file ${db}.`, fix: 'Name the one that `agentos dev --db` or `run --db` writes.' }];
  const store = sqliteStore({ path: db });
  try {
    return await sessionFindings(dir, { store, nowMs });
  } finally {
    await store.close();
  }
}

function keyFinding(environment: NodeJS.ProcessEnv): Finding {
  if (environment['OPENAI_API_KEY'] || environment['OPENAI_BASE_URL']) return { severity: 'ok', what: 'A key or an endpoint is set.' };
  return {
    severity: 'warning',
    what: 'No key is set, so the offline model answers.',
    fix: 'Set OPENAI_API_KEY, or OPENAI_BASE_URL for an endpoint of your own.',
  };
}
