import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

export type Files = { readonly [name: string]: string | Uint8Array };

/** A directory of its own for one test, with these files in it; gone when the test ends. */
export function makeDir(files: Files = {}): string {
  const parent = mkdtempSync(join(tmpdir(), 'persona-fs-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const dir = join(parent, 'ava');
  mkdirSync(dir);
  writeFiles(dir, files);
  return dir;
}

export function writeFiles(dir: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
}

export const read = (dir: string, name: string): string => readFileSync(join(dir, name), 'utf8');
