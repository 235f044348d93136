import { existsSync, realpathSync } from 'node:fs';
import { createFileSchedule, laneKey } from '@x/agentos';
import { endpointNames } from '../endpoint.js';
import { openSessionFile } from '../session-file.js';
import { beatFindings } from './beat-findings.js';
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
  const folder = folderFindings(dir, nowMs);
  if (!existsSync(dir)) return [...folder, keyFinding(environment)];
  const sessions = db === undefined ? ownBeatFindings(realpathSync(dir), nowMs) : await fileFindings(dir, db, nowMs);
  return [...folder, ...sessions, keyFinding(environment)];
}

// Without a file `agentos run` keeps its schedule in the folder.
function ownBeatFindings(dir: string, nowMs: number): readonly Finding[] {
  return beatFindings(createFileSchedule(dir).get(laneKey({ directory: dir })), nowMs);
}

async function fileFindings(dir: string, db: string, nowMs: number): Promise<readonly Finding[]> {
  // Opening it would make it.
  if (!existsSync(db))
    return [{ severity: 'error', what: `There is no file ${db}.`, fix: 'Name the one that `agentos dev --db` or `run --db` writes.' }];
  try {
    const store = openSessionFile(db);
    try {
      return await sessionFindings(dir, { store, nowMs });
    } finally {
      await store.close();
    }
  } catch (error) {
    return [
      {
        severity: 'error',
        what: error instanceof Error ? error.message : String(error),
        fix: 'Name another file, or put a good copy there.',
      },
    ];
  }
}

function keyFinding(environment: NodeJS.ProcessEnv): Finding {
  const { apiKey, baseUrl } = endpointNames(environment);
  if (apiKey !== undefined || baseUrl !== undefined) return { severity: 'ok', what: 'A key or an endpoint is set.' };
  return {
    severity: 'warning',
    what: 'No key is set, so the offline model answers.',
    fix: 'Set OPENAI_API_KEY, or OPENAI_BASE_URL for an endpoint of your own.',
  };
}
