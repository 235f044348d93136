import type { Stats } from 'node:fs';
import { dirname, join, parse, resolve, sep } from 'node:path';
import { MemoryPathError } from './errors.js';
import { lstatSync, mkdirSync, realpathSync, writeFileSync } from './node-files.js';
import { realDir } from './open-dir.js';

/** Where this package keeps what is not part of the persona: locks, temporary files, backups, the journal. */
export const OWN_DIR = '.persona';

/**
 * The real path of a persona's directory, made if it is missing.
 *
 * @throws {@link MemoryPathError} it would have to be made below a link. Links right below the file system's root, such
 * as `/tmp` on some systems, are the system's own and are followed.
 */
export function ensureRoot(dir: string): string {
  const found = realDir(dir);
  if (found !== undefined) return found;
  const wanted = resolve(dir);
  const { root } = parse(wanted);
  const parts = wanted.slice(root.length).split(sep);
  for (let depth = 2; depth <= parts.length; depth += 1) {
    if (look(join(root, ...parts.slice(0, depth)))?.isSymbolicLink()) {
      throw new MemoryPathError({
        file: '.',
        problem: 'The directory would be made behind a link. Make it yourself, or name the real path.',
      });
    }
  }
  mkdirSync(wanted, { recursive: true });
  return realpathSync(wanted);
}

/**
 * Makes a directory inside the persona's, one part at a time, and follows no link on the way.
 *
 * @param root - Real path.
 * @param name - Relative, parts separated by `/`, from this package and not from a user.
 * @returns Its path.
 * @throws {@link MemoryPathError} a part is a link or a file.
 */
export function ensureInside(root: string, name: string): string {
  let path = root;
  for (const part of name.split('/')) {
    path = join(path, part);
    let stats = look(path);
    if (stats === undefined) {
      makeDir(path);
      stats = look(path);
      if (part === OWN_DIR && dirname(path) === root) hideFromGit(path);
    }
    if (stats?.isDirectory() !== true) throw new MemoryPathError({ file: name, problem: 'A part of this path is a link or a file.' });
  }
  return path;
}

function makeDir(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function hideFromGit(path: string): void {
  try {
    writeFileSync(join(path, '.gitignore'), '*\n', { flag: 'wx' });
  } catch {
    return;
  }
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
