import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { lstatSync } from './node-files.js';

export type Inside =
  | { readonly state: 'file'; readonly path: string; readonly stats: Stats }
  | { readonly state: 'absent'; readonly path: string }
  | { readonly state: 'unsafe'; readonly message: string };

/**
 * The one test that every read, listing and write of this package passes: each part of `name` below `root` is looked
 * at without following links, so that what is found lies inside and is an ordinary file. Throws nothing.
 *
 * @param root - Real path of the persona's directory.
 * @param name - Relative, parts separated by `/`.
 */
export function checkInside(root: string, name: string): Inside {
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\\\0:]/.test(part))) {
    return unsafe('Its name would lead out of the directory.');
  }
  let path = root;
  for (const [index, part] of parts.entries()) {
    path = join(path, part);
    const stats = look(path);
    if (stats === 'absent') return { state: 'absent', path: join(root, ...parts) };
    if (stats === 'denied') return unsafe('It cannot be looked at. Check the permissions of its directory.');
    if (stats.isSymbolicLink()) return unsafe('It is reached through a link, which is not followed. Put a real file there.');
    const last = index === parts.length - 1;
    if (!last && !stats.isDirectory()) return unsafe('A part of its path is not a directory.');
    if (last) return stats.isFile() ? { state: 'file', path, stats } : unsafe('It is not an ordinary file.');
  }
  return { state: 'absent', path };
}

function look(path: string): Stats | 'absent' | 'denied' {
  try {
    return lstatSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'absent' : 'denied';
  }
}

const unsafe = (message: string): Inside => ({ state: 'unsafe', message });
