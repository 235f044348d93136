import { randomBytes } from 'node:crypto';
import { renameSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file so that a reader sees the old text or the new one, never a part: a new file beside it, flushed, then renamed.
 *
 * @param mayReplace - Asked right before the new file takes the old one's place.
 * @returns False when it was not allowed to; then nothing has changed.
 */
export async function writeWhole(
  path: string,
  text: string,
  { mode, mayReplace = () => true }: { readonly mode?: number | undefined; readonly mayReplace?: (() => boolean) | undefined } = {},
): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  const file = await open(temporary, 'wx', mode ?? 0o644);
  try {
    try {
      // What the process masks off new files was right for the old one.
      if (mode !== undefined) await file.chmod(mode);
      await file.writeFile(text, 'utf8');
      await file.sync();
    } finally {
      await file.close();
    }
    // Asked and renamed in one go, so that no other call of this process comes between.
    const allowed = mayReplace();
    if (allowed) renameSync(temporary, path);
    else await rm(temporary, { force: true });
    return allowed;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
