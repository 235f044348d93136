import { resolve } from 'node:path';
import { type Clock, createId, type Random, type Redacted, redactSecrets, systemClock } from '@x/core';
import { MEMORY_FILES, type MemoryTarget } from './bootstrap.js';
import type { EditPlan, NotesEdit } from './edit-notes.js';
import { MemoryFullError, MemoryPathError, NotOwnerError } from './errors.js';
import { createRequests } from './group-requests.js';
import { type CommitContext, commitJobs, type Job } from './memory-commit.js';
import { type Author, type MemoryRecord, readJournal } from './memory-journal.js';
import { listEntries, listSenders, type MemoryEntry } from './memory-listing.js';
import { type Promotion, planPromotion, planUndo } from './memory-moves.js';
import { readEntries } from './notes.js';
import { createKeyIndex, type KeyIndex } from './notes-draft.js';
import { realDir } from './open-dir.js';
import { ensureRoot } from './own-dirs.js';
import { thisProcess } from './process-mark.js';
import { INBOX_DIR, senderKey } from './sender-key.js';
import type { OpenDraft } from './write-drafts.js';

export interface MemoryOptions {
  /** Bytes that a file may grow to: `MEMORY.md` and `USER.md` (default 65,536 each), each file of a sender (default 8,192). */
  readonly maxBytes?:
    | { readonly self?: number | undefined; readonly user?: number | undefined; readonly sender?: number | undefined }
    | undefined;
  /** Senders that get a place in `inbox`; default 200. */
  readonly maxSenders?: number | undefined;
  /** Daily copies kept of each file; default 14, 0 for none. */
  readonly backups?: number | undefined;
  /** Milliseconds to wait for other processes; default 10,000. */
  readonly lockTimeoutMs?: number | undefined;
  /** Most requests of one process that share one lock and one flush; default 256. Smaller is fairer to other processes. */
  readonly groupSize?: number | undefined;
  /** Bytes after which the journal of changes starts anew; one older one is kept. Default 4,194,304. */
  readonly journalMaxBytes?: number | undefined;
  /** Takes secrets out of what is written; default {@link redactSecrets}. */
  readonly redact?: ((text: string) => Redacted) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

export interface MemoryEdit {
  readonly target: MemoryTarget;
  readonly edit: NotesEdit;
  /** Default: the host, as owner. */
  readonly by?: Author | undefined;
  readonly turn?: string | undefined;
  /** Ends the wait for other writers; an edit that has begun to be written is finished. */
  readonly signal?: AbortSignal | undefined;
}

export type EditOutcome = EditPlan & {
  /** The file it concerns; below `inbox/` when the author is no owner. */
  readonly file: string;
  /** How many secrets were taken out. */
  readonly redacted: number;
  /** Present when the file was damaged: the day of the copy it was restored from, `''` when there was none and what could be read stayed. */
  readonly restoredFrom?: string | undefined;
};

/** The notes of one persona. Every write of this package goes through it. */
export interface Memory {
  /** The directory, absolute. */
  readonly dir: string;
  /**
   * @throws `memory_full`, `memory_busy` (retryable), `memory_path_unsafe`, `memory_file_unreadable`,
   * `memory_write_failed` (retryable), `signal.reason`. Nothing is written then.
   */
  edit(request: MemoryEdit): Promise<EditOutcome>;
  /** What is noted, with who wrote it when that is known. */
  entries(options?: { readonly target?: MemoryTarget | undefined; readonly sender?: string | undefined }): readonly MemoryEntry[];
  /** Keys of the senders of whom something is noted. */
  senders(): readonly string[];
  /**
   * Moves what a sender told into the persona's own notes.
   *
   * @throws `not_owner` unless the owner or a dream asks; `memory_conflict` unless exactly one entry matches; and as `edit`.
   * When it fails half way the entry is in both places, and asking again finishes it.
   */
  promote(request: Promotion): Promise<void>;
  /** Changes, oldest first; `formatDiff` shows one. */
  log(options?: { readonly last?: number | undefined }): readonly MemoryRecord[];
  /**
   * Takes one change back, on the file as it is now.
   *
   * @throws `not_owner`; `memory_conflict` when those lines have changed since, or there is no such record; and as `edit`.
   */
  undo(id: string, by?: Author, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
}

const HOST: Author = { kind: 'host', owner: true };

/**
 * Opens the notes of a directory. Holds nothing open: each call reads the disk. The directory is made on the first
 * write if it is missing.
 *
 * @param dir - Resolved once, now.
 */
export function openMemory(dir: string, options: MemoryOptions = {}): Memory {
  const { clock = systemClock, random = Math.random, redact = redactSecrets, groupSize = 256, lockTimeoutMs = 10_000 } = options;
  const { maxSenders = 200, backups = 14, journalMaxBytes = 4_194_304 } = options;
  const limits = { self: 65_536, user: 65_536, sender: 8_192, ...defined(options.maxBytes ?? {}) };
  const path = resolve(dir);
  const self = thisProcess();
  const indexes = new Map<string, KeyIndex>();
  let root = realDir(path);

  const contextNow = (): CommitContext => {
    root ??= ensureRoot(path);
    if (realDir(root) !== root) throw new MemoryPathError({ file: '.', problem: 'The directory is gone, or was replaced by a link.' });
    return { root, self, lockTimeoutMs, backups, journalMaxBytes, atMs: clock.now(), indexOf };
  };
  const indexOf = (file: string): KeyIndex => {
    if (indexes.size > 64) indexes.clear();
    const index = indexes.get(file) ?? createKeyIndex();
    indexes.set(file, index);
    return index;
  };
  const { submit } = createRequests({ groupSize, commit: (jobs, signal) => commitJobs(jobs, contextNow, signal) });
  const recordOf = (fields: Omit<MemoryRecord, 'id' | 'atMs'>): MemoryRecord => ({
    id: createId('note', random),
    atMs: clock.now(),
    ...fields,
    // Lines written by hand may hold secrets; what was added has lost them already.
    before: fields.before === '' ? '' : redact(fields.before).text,
    after: fields.action === 'add' ? fields.after : redact(fields.after).text,
  });

  return {
    dir: path,
    async edit({ target, edit, by = HOST, turn, signal }) {
      const file = by.owner ? MEMORY_FILES[target] : `${INBOX_DIR}/${senderKey(by.sender ?? 'unknown')}/${MEMORY_FILES[target]}`;
      const clean = cleanEdit(edit, redact);
      const maxBytes = by.owner ? limits[target] : limits.sender;
      const apply: Job['apply'] = (draftOf) => {
        if (!by.owner) checkSenders(root ?? path, file, maxSenders);
        const draft = draftOf(file);
        const plan = applyWithin(draft, clean.edit, file, maxBytes);
        const value: EditOutcome = { ...plan, file, redacted: clean.count, restoredFrom: draft.restoredFrom };
        const { action } = edit;
        const records =
          plan.outcome === 'changed' ? [recordOf({ by, turn, file, action, before: plan.before, after: plan.after, line: plan.line })] : [];
        return { value, records };
      };
      return submit<EditOutcome>([file], apply, signal);
    },
    entries: ({ target = 'self', sender } = {}) =>
      listEntries(
        root ?? realDir(path),
        sender === undefined ? MEMORY_FILES[target] : `${INBOX_DIR}/${senderKey(sender)}/${MEMORY_FILES[target]}`,
      ),
    senders: () => listSenders(root ?? realDir(path)),
    async promote(request) {
      const { by = HOST, signal } = request;
      if (!by.owner && by.kind !== 'dream') throw new NotOwnerError('Only the owner may make what a sender told the persona’s own memory.');
      const files = [MEMORY_FILES[request.target ?? 'self'], `${INBOX_DIR}/${senderKey(request.sender)}/${MEMORY_FILES.self}`] as const;
      const apply: Job['apply'] = (draftOf) => {
        const records = planPromotion(request, files, draftOf, (draft, edit, file) =>
          applyWithin(draft, edit, file, limits[request.target ?? 'self']),
        );
        return { value: undefined, records: records.map((record) => recordOf({ ...record, by })) };
      };
      return submit(files, apply, signal);
    },
    log: ({ last = 200 } = {}) => {
      const real = root ?? realDir(path);
      return real === undefined ? [] : readJournal(real).slice(-last);
    },
    async undo(id, by = HOST, { signal } = {}) {
      if (!by.owner && by.kind !== 'dream') throw new NotOwnerError('Only the owner may take changes back.');
      const real = root ?? realDir(path);
      const record = real === undefined ? undefined : readJournal(real).find((entry) => entry.id === id);
      const apply: Job['apply'] = (draftOf) => ({ value: undefined, records: [recordOf({ ...planUndo(record, draftOf), by })] });
      return submit([record?.file ?? MEMORY_FILES.self], apply, signal);
    },
  };
}

function applyWithin(draft: OpenDraft, edit: NotesEdit, file: string, maxBytes: number): EditPlan {
  const sizeBefore = draft.sizeBytes;
  const plan = draft.apply(edit);
  if (draft.sizeBytes <= maxBytes || draft.sizeBytes <= sizeBefore) return plan;
  const neededBytes = draft.sizeBytes - sizeBefore;
  draft.revert();
  const largest = readEntries(draft.text)
    .map(({ text }) => ({ text, sizeBytes: Buffer.byteLength(text) }))
    .sort((a, b) => b.sizeBytes - a.sizeBytes)
    .slice(0, 3);
  throw new MemoryFullError({ file, freeBytes: Math.max(0, maxBytes - sizeBefore), neededBytes, largest });
}

// Signs that steer a terminal, and that no reader sees.
const UNSHOWN = /(?![\t\n\r])\p{Cc}/gu;

function cleanEdit(edit: NotesEdit, redact: (text: string) => Redacted): { readonly edit: NotesEdit; readonly count: number } {
  // What is looked for is not written, so it stays as it is.
  const { text, count } = redact((edit.action === 'replace' ? edit.with : edit.action === 'add' ? edit.text : '').replace(UNSHOWN, ''));
  if (edit.action === 'add') return { edit: { action: 'add', text: text.trim() }, count };
  return edit.action === 'replace' ? { edit: { ...edit, with: text }, count } : { edit, count };
}

function checkSenders(root: string, file: string, maxSenders: number): void {
  const senders = listSenders(realDir(root));
  if (senders.length < maxSenders || senders.includes(file.split('/')[1] ?? '')) return;
  throw new MemoryFullError({ file: INBOX_DIR, freeBytes: 0, neededBytes: 1, largest: [] });
}

const defined = <T extends object>(options: T): { [K in keyof T]: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as { [K in keyof T]: NonNullable<T[K]> };
