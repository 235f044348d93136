import { join } from 'node:path';
import { checkInside } from './check-inside.js';
import { MemoryPathError } from './errors.js';
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, renameSync, writeSync } from './node-files.js';
import { OWN_DIR } from './own-dirs.js';

/** Who wrote an entry. */
export interface Author {
  /** `host` is the program itself, `dream` a consolidation, `heartbeat` another beat. */
  readonly kind: 'user' | 'heartbeat' | 'dream' | 'host';
  /** Id of the person whose message led to it, when known. */
  readonly sender?: string | undefined;
  readonly owner: boolean;
}

/** One change of a notes file, as the listing shows it. None of this reaches a prompt. */
export interface MemoryRecord {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly by: Author;
  /** Id of the turn that led to it, when known. */
  readonly turn?: string | undefined;
  /** The file's name inside the directory. */
  readonly file: string;
  readonly action: 'add' | 'replace' | 'remove' | 'undo';
  /** The lines that changed, as they were and as they are; `''` for none. */
  readonly before: string;
  readonly after: string;
  /** Lines of the file above the change, for putting a removed entry back in its place. */
  readonly line?: number | undefined;
  /** The record that an `undo` took back. */
  readonly undoes?: string | undefined;
  /** The sender whose entry this was before it was promoted. */
  readonly promotedFrom?: string | undefined;
}

const FILE = `${OWN_DIR}/journal.jsonl`;
const OLDER_FILE = `${OWN_DIR}/journal.1.jsonl`;

/** Adds records. Called under the lock; a line that a crash cut off is closed first, so that it harms no other. */
export function appendJournal(root: string, records: readonly MemoryRecord[], maxBytes: number): void {
  const path = safePath(root, FILE);
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
  const handle = openSync(path, flags, 0o600);
  let size: number;
  try {
    size = fstatSync(handle).size;
    const last = Buffer.alloc(1);
    const torn = size > 0 && readSync(handle, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
    const lines = Buffer.from(`${torn ? '\n' : ''}${records.map((record) => `${JSON.stringify(record)}\n`).join('')}`);
    for (let at = 0; at < lines.length; ) at += writeSync(handle, lines, at);
    size += lines.length;
  } finally {
    closeSync(handle);
  }
  if (size > maxBytes) renameSync(path, safePath(root, OLDER_FILE));
}

/** All records that are kept, oldest first; lines that are no records are passed over. */
export function readJournal(root: string): readonly MemoryRecord[] {
  return [OLDER_FILE, FILE].flatMap((file) => {
    const inside = checkInside(root, file);
    if (inside.state !== 'file') return [];
    return readFileSync(inside.path, 'utf8').split('\n').flatMap(readRecord);
  });
}

function readRecord(line: string): readonly MemoryRecord[] {
  if (line === '') return [];
  try {
    const record = JSON.parse(line) as Partial<MemoryRecord> | null;
    const texts = [record?.id, record?.file, record?.action, record?.before, record?.after];
    return texts.every((text) => typeof text === 'string') && typeof record?.by === 'object' ? [record as MemoryRecord] : [];
  } catch {
    return [];
  }
}

function safePath(root: string, file: string): string {
  const inside = checkInside(root, file);
  if (inside.state === 'unsafe') throw new MemoryPathError({ file, problem: inside.message });
  return join(root, ...file.split('/'));
}

/** A record's change as lines with `-` and `+`. */
export function formatDiff({ file, before, after }: Pick<MemoryRecord, 'file' | 'before' | 'after'>): string {
  const lines = (text: string, sign: string): readonly string[] =>
    text === ''
      ? []
      : text
          .replace(/\r?\n$/, '')
          .split(/\r?\n/)
          .map((line) => `${sign}${line}`);
  return [`${file}:`, ...lines(before, '-'), ...lines(after, '+')].join('\n');
}
