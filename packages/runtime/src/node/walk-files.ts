import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders that hold nothing a model looks for. */
const SKIPPED = new Set(['node_modules', '.git', '.hg', '.svn']);

/** The regular files below a folder, in the order of their names; links are not followed. */
export async function* walkFiles(folder: string, signal: AbortSignal | undefined): AsyncGenerator<string, void> {
  const stack = [folder];
  while (stack.length > 0) {
    signal?.throwIfAborted();
    const current = stack.pop()!;
    let entries: Dirent[];
    try {
      entries = await readdir(current, { withFileTypes: true });
    } catch {
      continue; // a folder that may not be read is passed over
    }
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (entry.isFile()) yield join(current, entry.name);
    }
    for (const entry of entries.reverse()) if (entry.isDirectory() && !SKIPPED.has(entry.name)) stack.push(join(current, entry.name));
  }
}
