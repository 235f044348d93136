import { isUtf8 } from 'node:buffer';
import { constants, lstatSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Files above this are not read whole: 5 MB. The figure is ours. */
export const MAX_READ_BYTES = 5_000_000;

export type ReadText = TextFile | { readonly problem: string; readonly isTooLarge?: boolean | undefined };

export interface TextFile {
  readonly text: string;
  readonly mode: number;
  /** False when bytes of it are no UTF-8: then `text` holds signs in their place and must not be written back. */
  readonly isExact: boolean;
  /** What the file was when it was read. */
  readonly stats: Stats;
}

/** Reads a regular file as UTF-8. Never follows a link in the last part, never waits on a pipe or device. */
export async function readText(path: string, signal?: AbortSignal | undefined): Promise<ReadText> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (!stat.isFile()) return { problem: 'It is not a regular file.' };
    if (stat.size > MAX_READ_BYTES)
      return { problem: `It has ${stat.size} bytes; at most ${MAX_READ_BYTES} can be read.`, isTooLarge: true };
    const bytes = await file.readFile({ signal });
    if (bytes.includes(0)) return { problem: 'It is a binary file.' };
    return { text: bytes.toString('utf8'), mode: stat.mode & 0o777, isExact: isUtf8(bytes), stats: stat };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    return { problem: describe(error) };
  } finally {
    await file?.close();
  }
}

/** True while nobody has saved the file since it was read. */
export function isUnchanged(path: string, { stats }: TextFile): boolean {
  try {
    const now = lstatSync(path);
    return now.ino === stats.ino && now.size === stats.size && now.mtimeMs === stats.mtimeMs;
  } catch {
    return false;
  }
}

/** What went wrong with a file, without its path on this machine. */
export function describe(error: unknown): string {
  const code = (error as NodeJS.ErrnoException)?.code;
  if (code === 'ENOENT') return 'It does not exist.';
  if (code === 'EACCES' || code === 'EPERM') return 'Access is denied.';
  if (code === 'ELOOP') return 'It is a link.';
  if (code === 'EISDIR') return 'It is a folder.';
  if (code === 'ENOTDIR') return 'A part of the path is not a folder.';
  return `It failed with ${code ?? 'an unknown error'}.`;
}
