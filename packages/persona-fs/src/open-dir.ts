import { realpathSync, statSync } from './node-files.js';

/** The real path of a directory; `undefined` when there is none. Throws nothing. */
export function realDir(dir: string): string | undefined {
  try {
    const real = realpathSync(dir);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}
