import { dirname } from 'node:path';
import { decodeBytes, encodeBytes } from './bytes-codec.js';
import { backUpOnce, dayName, newestBackup, setAside } from './memory-backups.js';
import { lstatSync } from './node-files.js';
import { createNotesDraft, type KeyIndex, type NotesDraft } from './notes-draft.js';
import { type NotesFile, readNotesFile } from './notes-file.js';
import { ensureInside } from './own-dirs.js';
import { writeAtomic } from './write-atomic.js';

export interface OpenDraft extends NotesDraft {
  /** Set when the file was damaged and the draft starts from a copy: the copy's day, or `''` for none; then what can be read stays. */
  readonly restoredFrom?: string | undefined;
}

/** A file that was read for an edit, and what shall stand in it. */
export interface OpenFile {
  readonly file: NotesFile;
  readonly draft: OpenDraft;
  readonly start: string;
}

/** Why a file was left as it is: somebody else saved it, or it belongs to a request that cannot be written now; or the disk refused. */
export type Unwritten = { readonly why: 'again' } | { readonly why: 'failed'; readonly error: unknown };

export function openDraft(name: string, { root, indexOf }: { readonly root: string; indexOf(file: string): KeyIndex }): OpenFile {
  const file = readNotesFile(root, name);
  if (!file.damaged) return { file, start: file.text, draft: createNotesDraft(file.text, indexOf(name)) };
  const backup = newestBackup(root, name);
  // What a crash leaves behind mostly begins well; zeros are no part of any text.
  const start = backup === undefined ? file.text.replaceAll('\0', '') : decodeBytes(backup.bytes);
  const draft = createNotesDraft(start, indexOf(name));
  return { file, start, draft: Object.defineProperty(draft, 'restoredFrom', { value: backup?.day ?? '' }) as OpenDraft };
}

export interface WriteOptions {
  readonly root: string;
  readonly temporaryDir: string;
  readonly backups: number;
  readonly atMs: number;
  /** Throws when the lock was lost. */
  readonly assertHeld: () => void;
}

/**
 * Writes what changed. Where one file of a request cannot be written, its later ones stay as they are too, and so do the
 * later files of every request that shares one of those: their drafts hold edits that shall not stand alone.
 *
 * @param requests - The files of each request, in the order in which they are to be written: a fact reaches its new place
 * before it leaves the old one, so that a crash between the two leaves it in both.
 * @returns The files that were not written.
 */
export async function writeDrafts(
  opened: ReadonlyMap<string, OpenFile>,
  requests: readonly (readonly string[])[],
  options: WriteOptions,
): Promise<ReadonlyMap<string, Unwritten>> {
  const unwritten = new Map<string, Unwritten>();
  const written = new Set<string>();
  const hold = (name: string, reason: Unwritten): void => {
    unwritten.set(name, reason);
    for (const files of requests) {
      if (!files.includes(name)) continue;
      for (const other of files) if (!written.has(other) && !unwritten.has(other)) hold(other, { why: 'again' });
    }
  };
  for (const name of inWritingOrder(requests)) {
    const entry = opened.get(name);
    if (entry === undefined || unwritten.has(name) || entry.draft.text === entry.start) continue;
    try {
      options.assertHeld();
      if (hasDrifted(entry.file)) hold(name, { why: 'again' });
      else {
        await writeDraft(name, entry, options);
        written.add(name);
      }
    } catch (error) {
      hold(name, { why: 'failed', error });
    }
  }
  return unwritten;
}

/** Files that some request writes later than another of its own come last. */
function inWritingOrder(requests: readonly (readonly string[])[]): readonly string[] {
  const places = new Map<string, number>();
  for (const files of requests) for (const [index, name] of files.entries()) places.set(name, Math.max(index, places.get(name) ?? 0));
  return [...places].sort(([, a], [, b]) => a - b).map(([name]) => name);
}

async function writeDraft(name: string, { file, draft }: OpenFile, { root, temporaryDir, backups, atMs }: WriteOptions): Promise<void> {
  // A rename does not ask for the right to write, but whoever took it from everybody wanted the file kept.
  if (file.stats !== undefined && (file.stats.mode & 0o222) === 0) throw Object.assign(new Error('It is read-only.'), { code: 'EACCES' });
  const day = dayName(atMs);
  const parent = dirname(name);
  if (parent !== '.') ensureInside(root, parent);
  if (file.damaged) await setAside(root, name, file.bytes, day);
  else await backUpOnce(root, name, file.bytes, day, backups);
  await writeAtomic(file.path, encodeBytes(draft.text), temporaryDir, file.stats);
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
