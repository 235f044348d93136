import { MAX_FILE_BYTES } from './bootstrap.js';
import { type Author, readJournal } from './memory-journal.js';
import { readdirSync } from './node-files.js';
import { entryKey } from './normalise.js';
import { readEntries } from './notes.js';
import { readPersonaFile } from './read-persona-file.js';
import { INBOX_DIR } from './sender-key.js';

/** One noted entry and, when the journal knows, where it came from. */
export interface MemoryEntry {
  readonly text: string;
  readonly by?: Author | undefined;
  /** Milliseconds since 1970. */
  readonly atMs?: number | undefined;
  readonly turn?: string | undefined;
}

/** The entries of a file, in order. An entry written by hand has no author. */
export function listEntries(root: string | undefined, file: string): readonly MemoryEntry[] {
  const { text } = root === undefined ? {} : readPersonaFile(root, file, MAX_FILE_BYTES, 'tail');
  if (root === undefined || text === undefined) return [];
  const origins = new Map<string, Omit<MemoryEntry, 'text'>>();
  for (const { file: changed, after, by, atMs, turn } of readJournal(root)) {
    if (changed === file) for (const entry of readEntries(after)) origins.set(entryKey(entry.text), { by, atMs, turn });
  }
  return readEntries(text).map((entry) => ({ text: entry.text, ...origins.get(entryKey(entry.text)) }));
}

/** The keys of senders that have a directory in the inbox, sorted. */
export function listSenders(root: string | undefined): readonly string[] {
  if (root === undefined) return [];
  try {
    const entries = readdirSync(root, { withFileTypes: true });
    if (!entries.some((entry) => entry.name === INBOX_DIR && entry.isDirectory())) return [];
    return readdirSync(`${root}/${INBOX_DIR}`, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort();
  } catch {
    return [];
  }
}
