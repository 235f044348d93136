import { lstatSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

// What a persona is made of, in lower case: a model that writes these itself gives itself orders that outlive the talk.
const FILES: ReadonlySet<string> = new Set([
  'agents.md',
  'soul.md',
  'identity.md',
  'user.md',
  'tools.md',
  'heartbeat.md',
  'memory.md',
  'persona.yaml',
  'persona.yml',
  'persona.json',
]);
const FOLDERS: ReadonlySet<string> = new Set(['.persona', 'inbox']);

/**
 * True for a file that makes a persona: it lies in a folder with a `SOUL.md` and has a name that means
 * something there, compared as a file system without letter case would.
 *
 * @param real - Real path, links followed; the file need not exist.
 */
export function isPersonaFile(real: string): boolean {
  for (let folder = dirname(real); ; folder = dirname(folder)) {
    const [first = '', ...rest] = relative(folder, real).split(sep).map(folded);
    const reserved = rest.length === 0 ? FILES.has(first) || FOLDERS.has(first) : FOLDERS.has(first);
    if (reserved && holdsSoul(folder)) return true;
    if (dirname(folder) === folder) return false;
  }
}

// Some systems drop dots and blanks at the end of a name, and fold more letters than case.
const folded = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[. ]+$/, '');

function holdsSoul(folder: string): boolean {
  try {
    lstatSync(join(folder, 'SOUL.md'));
    return true;
  } catch {
    return false;
  }
}
