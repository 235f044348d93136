import type { Stats } from 'node:fs';
import { decodeBytes } from './bytes-codec.js';
import { checkInside } from './check-inside.js';
import { MemoryPathError, MemoryUnreadableError } from './errors.js';
import { closeSync, constants, openSync, readFileSync } from './node-files.js';

/** A file as it is on the disk now. */
export interface NotesFile {
  readonly path: string;
  /** `''` when it is absent or empty. Bytes that are not UTF-8 stand as lone surrogates. */
  readonly text: string;
  readonly bytes: Buffer;
  /** Absent when there is no file yet. */
  readonly stats?: Stats | undefined;
  /** True when the bytes are no text: what a crash of the machine leaves behind. */
  readonly damaged: boolean;
}

const LARGEST_BYTES = 64 * 1_048_576;

/**
 * Reads a notes file whole, for an edit.
 *
 * @throws {@link MemoryPathError} it is a link or no ordinary file.
 * @throws {@link MemoryUnreadableError} permissions, UTF-16, or over 64 MiB; only an absent file counts as empty.
 */
export function readNotesFile(root: string, file: string): NotesFile {
  const inside = checkInside(root, file);
  if (inside.state === 'unsafe') throw new MemoryPathError({ file, problem: inside.message });
  if (inside.state === 'absent') return { path: inside.path, text: '', bytes: Buffer.alloc(0), damaged: false };
  const { path, stats } = inside;
  if (stats.size > LARGEST_BYTES) throw new MemoryUnreadableError({ file, problem: 'It is larger than 64 MiB.' });
  let bytes: Buffer;
  try {
    const handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      bytes = readFileSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (cause) {
    throw new MemoryUnreadableError({ file, problem: `It could not be read (${(cause as NodeJS.ErrnoException).code}).`, cause });
  }
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
  if (mark === 0xfffe || mark === 0xfeff) throw new MemoryUnreadableError({ file, problem: 'It is saved as UTF-16. Save it as UTF-8.' });
  return { path, text: decodeBytes(bytes), bytes, stats, damaged: bytes.includes(0) };
}
