import { join } from 'node:path';
import { hashText } from '@x/core';
import { closeSync, constants, fsyncSync, linkSync, lstatSync, openSync, readdirSync, unlinkSync, writeFileSync } from './node-files.js';
import { realDir } from './open-dir.js';
import { ensureInside, OWN_DIR } from './own-dirs.js';
import { randomHex } from './random-hex.js';
import { readPersonaFile } from './read-persona-file.js';
import { createMemorySchedule, type SchedulePort, type ScheduleRow } from './schedule.js';

const DIR = `${OWN_DIR}/schedule`;
const MAX_ROW_BYTES = 65_536;
/** Older revisions that stay, so that a slow claimant finds its number taken and not free again. */
const KEPT = 8;
/** A temporary file that is older than this belongs to nobody. */
const STALE_MS = 60_000;

/** A schedule whose answers are there at once. */
export interface FileSchedule extends SchedulePort {
  get(key: string): ScheduleRow | undefined;
  set(key: string, row: ScheduleRow): void;
  claim(key: string, row: ScheduleRow, expected: number): boolean;
}

/**
 * A schedule below a persona's own `.persona`, shared by all processes of the machine that run this persona. Each
 * revision of a row is a file of its own, flushed and then linked to its name: of those who claim one revision a single
 * one makes the name, no lock is held, and a killed process leaves nothing half.
 *
 * @param dir - Not made when missing. While it is missing, full or may not be written, the rows are kept in memory.
 */
export function createFileSchedule(dir: string): FileSchedule {
  const memory = createMemorySchedule() as FileSchedule;
  const put = (key: string, row: ScheduleRow, expected: number | undefined): boolean => {
    const root = realDir(dir);
    try {
      if (root !== undefined) return putRow(root, key, row, expected, memory.get(key)?.revision ?? 0);
    } catch (error) {
      if (!['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
    const stored = root && readRow(root, key);
    if (stored && stored.revision > (memory.get(key)?.revision ?? 0)) memory.set(key, stored);
    if (expected !== undefined) return memory.claim(key, row, expected);
    memory.set(key, row);
    return true;
  };
  return {
    get(key) {
      const root = realDir(dir);
      const stored = root && readRow(root, key);
      const kept = memory.get(key);
      return stored && stored.revision >= (kept?.revision ?? 0) ? stored : kept;
    },
    set: (key, row) => {
      // Whoever is faster only pushes the number up; the last one to come wins.
      while (!put(key, row, undefined));
    },
    claim: (key, row, expected) => put(key, row, expected),
  };
}

function readRow(root: string, key: string): ScheduleRow | undefined {
  const revisions = revisionsOf(join(root, DIR), key);
  // A row that was damaged from outside is read from the revision before it.
  for (const revision of revisions) {
    const { text = '' } = readPersonaFile(root, `${DIR}/${nameOf(key, revision)}`, MAX_ROW_BYTES);
    const row = parseRow(text);
    if (row !== undefined) return { ...row, revision: revisions[0]! };
  }
  return undefined;
}

function parseRow(text: string): ScheduleRow | undefined {
  try {
    const row = JSON.parse(text) as Partial<ScheduleRow> | null;
    if (typeof row?.nextDueMs !== 'number') return undefined;
    return { ...row, nextDueMs: row.nextDueMs, anchorMs: row.anchorMs ?? 0, failures: row.failures ?? 0, revision: row.revision ?? 0 };
  } catch {
    return undefined;
  }
}

function putRow(root: string, key: string, row: ScheduleRow, expected: number | undefined, inMemory: number): boolean {
  const dir = ensureInside(root, DIR);
  // The rows may have gone on in memory while the directory was away.
  let newest = Math.max(revisionsOf(dir, key)[0] ?? 0, inMemory);
  if (expected !== undefined && newest !== expected) {
    if (expected !== 0 || readRow(root, key) !== undefined || newest === inMemory) return false;
    // A row that cannot be read is none.
    for (const revision of revisionsOf(dir, key)) remove(join(dir, nameOf(key, revision)));
    newest = 0;
  }
  const revision = expected === undefined ? Math.max(newest + 1, row.revision) : newest + 1;
  if (!makeWhole(dir, nameOf(key, revision), JSON.stringify({ ...row, revision }))) return false;
  const others = revisionsOf(dir, key).filter((other) => other !== revision);
  // The name was free because it is long past: whoever removed it left a number that is so much higher.
  if (others.some((other) => other > revision + KEPT)) {
    remove(join(dir, nameOf(key, revision)));
    return false;
  }
  for (const old of others) if (old < revision - KEPT) remove(join(dir, nameOf(key, old)));
  return true;
}

const nameOf = (key: string, revision: number): string => `${hashText(key)}.${revision}.json`;

/** The revisions of a row that have a file, newest first. */
function revisionsOf(dir: string, key: string): readonly number[] {
  const start = `${hashText(key)}.`;
  return namesIn(dir)
    .flatMap((name) =>
      name.startsWith(start) ? [Number(/^\.(\d{1,15})\.json$/.exec(name.slice(start.length - 1))?.[1] ?? Number.NaN)] : [],
    )
    .filter((revision) => Number.isSafeInteger(revision))
    .sort((a, b) => b - a);
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

/** Makes a file with all of its text at once; false when there is one of that name. */
function makeWhole(dir: string, name: string, text: string): boolean {
  const temporary = join(dir, `tmp-${randomHex(8)}`);
  const target = join(dir, name);
  try {
    writeFlushed(temporary, text);
    removeStale(dir, temporary);
    try {
      linkSync(temporary, target);
    } catch (error) {
      // File systems without links: a crash within this write leaves a row that counts as none.
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      writeFlushed(target, text);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    remove(temporary);
  }
  flushDir(dir);
  return true;
}

function writeFlushed(path: string, text: string): void {
  const handle = openSync(path, 'wx');
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function flushDir(dir: string): void {
  try {
    const handle = openSync(dir, constants.O_RDONLY);
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // Some systems cannot flush a directory; there it is up to them.
  }
}

/** Removes what killed writers left; ages are compared as the file system counts them. */
function removeStale(dir: string, mine: string): void {
  const nowMs = modifiedMs(mine);
  for (const name of namesIn(dir)) {
    if (name.startsWith('tmp-') && nowMs - modifiedMs(join(dir, name)) > STALE_MS) remove(join(dir, name));
  }
}

function modifiedMs(path: string): number {
  try {
    return lstatSync(path).mtimeMs;
  } catch {
    return Number.NaN;
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    return;
  }
}
