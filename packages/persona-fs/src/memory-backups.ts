import { join } from 'node:path';
import { checkInside } from './check-inside.js';
import { readdirSync, readFileSync, unlinkSync } from './node-files.js';
import { ensureInside, OWN_DIR } from './own-dirs.js';
import { randomHex } from './random-hex.js';
import { writeAtomic } from './write-atomic.js';

const BACKUPS = `${OWN_DIR}/backups`;
const ASIDE = `${OWN_DIR}/aside`;

/** Keeps the file as it was before the first write of the day; of each file the newest `keep` copies stay. */
export async function backUpOnce(root: string, file: string, bytes: Buffer, dayName: string, keep: number): Promise<void> {
  if (bytes.length === 0 || keep < 1) return;
  const dir = ensureInside(root, BACKUPS);
  const name = `${flatName(file)}.${dayName}`;
  const old = copiesOf(dir, file);
  if (old.includes(name)) return;
  await writeAtomic(join(dir, name), bytes, dir);
  for (const surplus of [...old, name].sort().slice(0, -keep)) unlinkSync(join(dir, surplus));
}

/** The newest copy that is text, or `undefined`. */
export function newestBackup(root: string, file: string): { readonly bytes: Buffer; readonly day: string } | undefined {
  const dir = ensureInside(root, BACKUPS);
  for (const name of copiesOf(dir, file).toReversed()) {
    if (checkInside(root, `${BACKUPS}/${name}`).state !== 'file') continue;
    const bytes = readFileSync(join(dir, name));
    if (!bytes.includes(0)) return { bytes, day: name.slice(-10) };
  }
  return undefined;
}

/** Keeps damaged bytes for a human to look at; returns their name inside the directory. */
export async function setAside(root: string, file: string, bytes: Buffer, dayName: string): Promise<string> {
  const dir = ensureInside(root, ASIDE);
  const name = `${flatName(file)}.${dayName}.${randomHex(3)}`;
  await writeAtomic(join(dir, name), bytes, dir);
  return `${ASIDE}/${name}`;
}

/** `2026-03-01`, in UTC. */
export const dayName = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

const copiesOf = (dir: string, file: string): string[] =>
  readdirSync(dir)
    .filter((name) => name.slice(0, -11) === flatName(file) && /\.\d{4}-\d\d-\d\d$/.test(name))
    .sort();

// A sender's key holds no `!`, so names of two files never meet.
const flatName = (file: string): string => file.replaceAll('/', '!');
