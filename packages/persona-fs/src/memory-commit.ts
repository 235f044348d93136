import { join } from 'node:path';
import { isAgentosError } from '@x/core';
import { lockDir } from './dir-lock.js';
import { MemoryBusyError, MemoryWriteError } from './errors.js';
import { appendJournal, type MemoryRecord } from './memory-journal.js';
import { readdirSync, unlinkSync } from './node-files.js';
import type { KeyIndex } from './notes-draft.js';
import { ensureInside, OWN_DIR } from './own-dirs.js';
import type { ProcessMark } from './process-mark.js';
import { type OpenDraft, type OpenFile, openDraft, writeDrafts } from './write-drafts.js';

/** One request: which files it touches, and what it makes of their drafts. `apply` is pure and may run again. */
export interface Job {
  /** In the order in which they are to be written: where a fact goes, then where it leaves. */
  readonly files: readonly string[];
  /** Called under the lock, before the first `apply`; false when nobody waits for the request any more. */
  begin(): boolean;
  /** Throws a typed error to refuse; then it has changed no draft. */
  apply(draftOf: (file: string) => OpenDraft): JobResult;
  settle(outcome: JobOutcome): void;
}

export type JobOutcome = { readonly value: unknown } | { readonly error: unknown };

export interface JobResult {
  readonly value: unknown;
  readonly records: readonly MemoryRecord[];
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
 *
 * @param contextNow - Looks at the directory as it is now; what it throws is every request's error.
 * @param signal - Ends the wait for the lock.
 */
export async function commitJobs(jobs: readonly Job[], contextNow: () => CommitContext, signal: AbortSignal): Promise<void> {
  const outcomes = new Map<Job, JobOutcome>();
  try {
    const context = contextNow();
    const { root, self, lockTimeoutMs: timeoutMs } = context;
    const lock = await lockDir(ensureInside(root, `${OWN_DIR}/lock`), { self, timeoutMs, signal });
    try {
      const temporaryDir = ensureInside(root, `${OWN_DIR}/tmp`);
      // Only the lock's holder writes here, so whatever lies here was left by a killed one.
      for (const name of readdirSync(temporaryDir)) unlinkSync(join(temporaryDir, name));
      let waiting: readonly Job[] = jobs.filter((job) => job.begin());
      for (let attempt = 1; waiting.length > 0; attempt += 1) {
        waiting = await attemptJobs(waiting, { ...context, temporaryDir, assertHeld: lock.assertHeld }, outcomes);
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

type AttemptContext = CommitContext & { readonly temporaryDir: string; readonly assertHeld: () => void };

/** Returns the jobs whose files could not be written now: they start again from what is there then. */
async function attemptJobs(jobs: readonly Job[], context: AttemptContext, outcomes: Map<Job, JobOutcome>): Promise<readonly Job[]> {
  const opened = new Map<string, OpenFile>();
  const broken = new Map<string, unknown>();
  for (const name of new Set(jobs.flatMap(({ files }) => files))) {
    try {
      opened.set(name, openDraft(name, context));
    } catch (error) {
      broken.set(name, error);
    }
  }
  const done: { readonly job: Job; readonly result: JobResult }[] = [];
  for (const job of jobs) {
    const bad = job.files.find((name) => broken.has(name));
    try {
      if (bad !== undefined) throw broken.get(bad);
      done.push({ job, result: job.apply((name) => (opened.get(name) as OpenFile).draft) });
    } catch (error) {
      outcomes.set(job, { error: typed(error, bad ?? job.files[0] ?? '.') });
    }
  }
  const requests = done.map(({ job }) => job.files);
  const unwritten = await writeDrafts(opened, requests, context);
  const again: Job[] = [];
  const records: MemoryRecord[] = [];
  for (const { job, result } of done) {
    // What one file of a request got stands, also when the other is still to come.
    records.push(...result.records.filter(({ file }) => !unwritten.has(file)));
    const faults = job.files.flatMap((name) => {
      const reason = unwritten.get(name);
      return reason?.why === 'failed' ? [typed(reason.error, name)] : [];
    });
    if (faults.length > 0) outcomes.set(job, { error: faults[0] });
    else if (job.files.some((name) => unwritten.has(name))) again.push(job);
    else outcomes.set(job, { value: result.value });
  }
  if (records.length > 0) appendJournal(context.root, records, context.journalMaxBytes);
  return again;
}

const typed = (error: unknown, file: string): unknown => (isAgentosError(error) ? error : new MemoryWriteError({ file, cause: error }));
