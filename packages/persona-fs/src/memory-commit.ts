import { lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isAgentosError } from '@x/core';
import { decodeBytes, encodeBytes } from './bytes-codec.js';
import { lockDir } from './dir-lock.js';
import { MemoryBusyError, MemoryWriteError } from './errors.js';
import { backUpOnce, dayName, newestBackup, setAside } from './memory-backups.js';
import { appendJournal, type MemoryRecord } from './memory-journal.js';
import { createNotesDraft, type KeyIndex, type NotesDraft } from './notes-draft.js';
import { type NotesFile, readNotesFile } from './notes-file.js';
import { ensureInside, OWN_DIR } from './own-dirs.js';
import type { ProcessMark } from './process-mark.js';
import { writeAtomic } from './write-atomic.js';

/** One request: which files it touches, and what it makes of their drafts. `apply` is pure and may run again. */
export interface Job {
  readonly files: readonly string[];
  /** Throws a typed error to refuse; then it has changed no draft. */
  apply(draftOf: (file: string) => OpenDraft): JobResult;
  settle(outcome: { readonly value: unknown } | { readonly error: unknown }): void;
}

export interface JobResult {
  readonly value: unknown;
  readonly records: readonly MemoryRecord[];
}

export interface OpenDraft extends NotesDraft {
  /** Set when the file was damaged and the draft starts from a copy: the copy's day, or `''` for none. */
  readonly restoredFrom?: string | undefined;
}

export interface CommitContext {
  readonly root: string;
  readonly self: ProcessMark;
  readonly lockTimeoutMs: number;
  readonly backups: number;
  readonly journalMaxBytes: number;
  readonly atMs: number;
  indexOf(file: string): KeyIndex;
}

const DRIFT_TRIES = 4;

/**
 * Runs requests as one write: one lock, each file read fresh, edited in memory, written whole. A request that fails
 * harms no other; each is settled only after the files it touched are in place.
 */
export async function commitJobs(jobs: readonly Job[], context: CommitContext): Promise<void> {
  const outcomes = new Map<Job, { readonly value: unknown } | { readonly error: unknown }>();
  try {
    const lock = await lockDir(ensureInside(context.root, `${OWN_DIR}/lock`), { self: context.self, timeoutMs: context.lockTimeoutMs });
    try {
      const temporaryDir = ensureInside(context.root, `${OWN_DIR}/tmp`);
      // Only the lock's holder writes here, so whatever lies here was left by a killed one.
      for (const name of readdirSync(temporaryDir)) unlinkSync(join(temporaryDir, name));
      let waiting = jobs;
      for (let attempt = 1; waiting.length > 0; attempt += 1) {
        waiting = await attemptJobs(waiting, context, temporaryDir, lock.assertHeld, outcomes);
        if (waiting.length > 0 && attempt === DRIFT_TRIES) throw new MemoryBusyError('somebody without the lock keeps changing the file');
      }
    } finally {
      lock.release();
    }
  } catch (error) {
    for (const job of jobs) if (!outcomes.has(job)) outcomes.set(job, { error: typed(error, '.') });
  }
  for (const job of jobs) job.settle(outcomes.get(job) ?? { error: new MemoryBusyError('the request was not run') });
}

interface Opened {
  readonly file: NotesFile;
  readonly draft: OpenDraft;
  readonly start: string;
}

/** Returns the jobs whose files somebody else changed in the meantime: they start again from what is there now. */
async function attemptJobs(
  jobs: readonly Job[],
  context: CommitContext,
  temporaryDir: string,
  assertHeld: () => void,
  outcomes: Map<Job, { readonly value: unknown } | { readonly error: unknown }>,
): Promise<readonly Job[]> {
  const opened = new Map<string, Opened | { readonly error: unknown }>();
  for (const name of new Set(jobs.flatMap(({ files }) => files))) opened.set(name, openFile(name, context));
  const done: { readonly job: Job; readonly result: JobResult }[] = [];
  for (const job of jobs) {
    const broken = job.files.map((name) => opened.get(name)).find((entry) => entry !== undefined && 'error' in entry);
    try {
      if (broken !== undefined && 'error' in broken) throw broken.error;
      done.push({ job, result: job.apply((name) => (opened.get(name) as Opened).draft) });
    } catch (error) {
      outcomes.set(job, { error: typed(error, job.files[0] ?? '.') });
    }
  }
  const failures = new Map<string, unknown>();
  const drifted = new Set<string>();
  for (const [name, entry] of opened) {
    if ('error' in entry || entry.draft.text === entry.start) continue;
    assertHeld();
    if (hasDrifted(entry.file)) drifted.add(name);
    else await writeDraft(name, entry, context, temporaryDir).catch((error: unknown) => failures.set(name, error));
  }
  const again: Job[] = [];
  const records: MemoryRecord[] = [];
  for (const { job, result } of done) {
    const failed = job.files.find((name) => failures.has(name));
    if (failed !== undefined) outcomes.set(job, { error: typed(failures.get(failed), failed) });
    else if (job.files.some((name) => drifted.has(name))) again.push(job);
    else {
      outcomes.set(job, { value: result.value });
      records.push(...result.records);
    }
  }
  if (records.length > 0) appendJournal(context.root, records, context.journalMaxBytes);
  return again;
}

function openFile(name: string, { root, indexOf }: CommitContext): Opened | { readonly error: unknown } {
  try {
    const file = readNotesFile(root, name);
    if (!file.damaged) return { file, start: file.text, draft: createNotesDraft(file.text, indexOf(name)) };
    const backup = newestBackup(root, name);
    const start = backup === undefined ? '' : decodeBytes(backup.bytes);
    const draft = createNotesDraft(start, indexOf(name));
    return { file, start, draft: Object.defineProperty(draft, 'restoredFrom', { value: backup?.day ?? '' }) as OpenDraft };
  } catch (error) {
    return { error };
  }
}

async function writeDraft(name: string, { file, draft }: Opened, context: CommitContext, temporaryDir: string): Promise<void> {
  const day = dayName(context.atMs);
  ensureDirOf(context.root, name);
  if (file.damaged) await setAside(context.root, name, file.bytes, day);
  else await backUpOnce(context.root, name, file.bytes, day, context.backups);
  await writeAtomic(file.path, encodeBytes(draft.text), temporaryDir, file.stats);
}

function ensureDirOf(root: string, name: string): void {
  const parent = dirname(name);
  if (parent !== '.') ensureInside(root, parent);
}

/** True when a program that knows no lock, such as an editor, saved the file since it was read. */
function hasDrifted({ path, stats }: NotesFile): boolean {
  try {
    const now = lstatSync(path);
    return stats === undefined || now.ino !== stats.ino || now.size !== stats.size || now.mtimeMs !== stats.mtimeMs;
  } catch {
    return stats !== undefined;
  }
}

const typed = (error: unknown, file: string): unknown => (isAgentosError(error) ? error : new MemoryWriteError({ file, cause: error }));
