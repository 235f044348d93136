import type { Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  openSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from './node-files.js';
import { randomHex } from './random-hex.js';

/** Windows refuses a rename while somebody reads the target; a few more tries, then the error stands. */
const RENAME_TRIES = 8;

/**
 * Puts a whole file in place or leaves the old one: a new file of random name next to it, flushed, then renamed over it,
 * then its directory flushed.
 *
 * @param path - Already checked: inside the persona's directory and no link.
 * @param temporaryDir - On the same file system; left-overs of killed writers in it are the caller's to clean.
 */
export async function writeAtomic(path: string, bytes: Uint8Array, temporaryDir: string, old?: Stats | undefined): Promise<void> {
  const temporary = join(temporaryDir, `tmp-${randomHex(12)}`);
  // Only the flush waits for the disk; the rest is faster done at once than handed to another thread, and others wait for the lock.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  try {
    const handle = openSync(temporary, flags, 0o666);
    try {
      if (old !== undefined) {
        keepOwner(handle, old);
        fchmodSync(handle, old.mode & 0o777);
      }
      writeFileSync(handle, bytes);
      await flush(handle);
    } finally {
      closeSync(handle);
    }
    await renameOver(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  await flushDir(dirname(path));
}

/** A program that runs as root, or in another group, must not lock out those whose file it is; as far as the system lets it. */
function keepOwner(handle: number, { uid, gid }: Stats): void {
  const mine = fstatSync(handle);
  if (mine.uid === uid && mine.gid === gid) return;
  for (const owner of [uid, mine.uid]) {
    try {
      return fchownSync(handle, owner, gid);
    } catch {
      // Who is not root may give a file to a group of its own, and to nobody else.
    }
  }
}

const flush = promisify(fsync);

async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return renameSync(from, to);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (attempt === RENAME_TRIES || !['EPERM', 'EBUSY', 'EACCES'].includes(code)) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 10));
    }
  }
}

// The rename itself must outlive a power cut. Some systems cannot flush a directory; there it is up to them.
async function flushDir(path: string): Promise<void> {
  try {
    const handle = openSync(path, constants.O_RDONLY);
    await flush(handle).finally(() => closeSync(handle));
  } catch {
    return;
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    return;
  }
}
