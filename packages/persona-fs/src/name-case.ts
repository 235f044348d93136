import { readdirSync } from './node-files.js';
import type { PersonaProblem } from './problems.js';

/**
 * Files that are not read because their names differ in capitals from those that are. Where the disk itself makes no
 * difference, the file was found and is not among `missing`.
 *
 * @param missing - Names that were looked for and are not there.
 */
export function misnamedFiles(root: string, missing: readonly string[]): readonly PersonaProblem[] {
  const wanted = new Map(missing.map((name) => [name.toLowerCase(), name]));
  return namesIn(root).flatMap((file): readonly PersonaProblem[] => {
    const name = wanted.get(file.toLowerCase());
    if (name === undefined || name === file) return [];
    return [{ code: 'file_name_case', file, message: `It is not read, because capitals count in its name. Rename it to ${name}.` }];
  });
}

function namesIn(root: string): readonly string[] {
  try {
    return readdirSync(root).sort();
  } catch {
    return [];
  }
}
