import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { sqliteStore } from '@x/store/sqlite';
import { UsageError } from './errors.js';

/** The first bytes of every database of SQLite 3, by its file format. */
const MARK = 'SQLite format 3\0';

/**
 * Opens the SQLite file that keeps sessions; makes it when there is none.
 *
 * @throws {@link UsageError} something else is there. The store would put it aside as a damaged file of its own, and the
 * name may be a slip.
 */
export function openSessionFile(path: string): ReturnType<typeof sqliteStore> {
  if (path.trim() === '') throw new UsageError('--db needs the name of a file: --db sessions.sqlite');
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !(stats.isFile() && (stats.size === 0 || startOf(path) === MARK)))
    throw new UsageError(`${path} is no SQLite file. Name the one that \`agentos dev --db FILE\` writes, or a new one.`);
  return sqliteStore({ path });
}

function startOf(path: string): string {
  const bytes = Buffer.alloc(MARK.length);
  const handle = openSync(path, 'r');
  try {
    return bytes.toString('latin1', 0, readSync(handle, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(handle);
  }
}
