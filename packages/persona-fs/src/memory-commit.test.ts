import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDir, read, writeFiles } from '../test/make-dir.js';
import type { MemoryRecord } from './memory-journal.js';
import { openMemory } from './open-memory.js';

const BOB = 'inbox/bob/MEMORY.md';
const bob = { kind: 'user', sender: 'bob', owner: false } as const;

/** Notes during whose first write, between reading the files and writing them, something happens once. */
function interrupted(dir: string, happen: () => void) {
  let done = false;
  const redact = (text: string) => {
    if (!done) {
      done = true;
      happen();
    }
    return { text, count: 0 };
  };
  return openMemory(dir, { redact });
}
const told = (records: readonly MemoryRecord[]) => records.map(({ action, file, before, after }) => `${action} ${file} ${before}${after}`);

test('an entry that is promoted while an editor saves MEMORY.md is in both versions of the truth: the editor’s and ours', async () => {
  const dir = makeDir({ 'MEMORY.md': '- own\n', [BOB]: '- fact\n- other\n' });
  const memory = interrupted(dir, () => writeFileSync(join(dir, 'MEMORY.md'), '- own\n- by hand\n'));
  await memory.promote({ sender: 'bob', text: 'fact' });
  expect([read(dir, 'MEMORY.md'), read(dir, BOB)]).toEqual(['- own\n- by hand\n- fact\n', '- other\n']);
  expect(told(memory.log())).toEqual(['add MEMORY.md - fact\n', `remove ${BOB} - fact\n`]);
});

test('an inbox that is saved while one of its entries is promoted keeps what was saved, and the journal knows each write once', async () => {
  const dir = makeDir({ 'MEMORY.md': '- own\n', [BOB]: '- fact\n' });
  const memory = interrupted(dir, () => writeFileSync(join(dir, BOB), '- fact\n- later\n'));
  await memory.promote({ sender: 'bob', text: 'fact' });
  expect([read(dir, 'MEMORY.md'), read(dir, BOB)]).toEqual(['- own\n- fact\n', '- later\n']);
  expect(told(memory.log())).toEqual(['add MEMORY.md - fact\n', `remove ${BOB} - fact\n`]);
});

test('where MEMORY.md cannot be written a promoted entry stays in the inbox, and what else the group wrote there is kept', async () => {
  const dir = makeDir({ 'MEMORY.md': 'torn \0', [BOB]: '- fact\n', '.persona/aside': 'no directory' });
  const memory = openMemory(dir);
  const outcomes = await Promise.allSettled([
    memory.edit({ target: 'self', edit: { action: 'add', text: 'before' }, by: bob }),
    memory.promote({ sender: 'bob', text: 'fact' }),
    memory.edit({ target: 'self', edit: { action: 'add', text: 'after' }, by: bob }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({ reason: { code: 'memory_path_unsafe' } });
  expect([read(dir, 'MEMORY.md'), read(dir, BOB)]).toEqual(['torn \0', '- fact\n- before\n- after\n']);
  expect(told(memory.log())).toEqual([`add ${BOB} - before\n`, `add ${BOB} - after\n`]);
});

test('where the inbox cannot be written the promoted entry is in both files, and asking again finishes it', async () => {
  const dir = makeDir({ 'MEMORY.md': '- own\n', [BOB]: '- fact\n' });
  // A directory in the place of the file, put there after the files were read, is no drift that another try could mend.
  const memory = interrupted(dir, () => {
    writeFiles(dir, { [`${BOB}.kept`]: read(dir, BOB) });
    replaceByDirectory(join(dir, BOB));
  });
  await expect(memory.promote({ sender: 'bob', text: 'fact' })).rejects.toMatchObject({ code: 'memory_path_unsafe' });
  expect(read(dir, 'MEMORY.md')).toBe('- own\n- fact\n');
  expect(told(memory.log())).toEqual(['add MEMORY.md - fact\n']);
});

function replaceByDirectory(path: string): void {
  rmSync(path);
  mkdirSync(path);
}

test('a marker alone promotes nothing, even where one entry holds its sign', async () => {
  const dir = makeDir({ [BOB]: '- a - b\n' });
  for (const text of ['- ', '-', ' * ', '', '## ']) {
    await expect(openMemory(dir).promote({ sender: 'bob', text })).rejects.toMatchObject({ code: 'memory_conflict' });
  }
  expect(read(dir, BOB)).toBe('- a - b\n');
});
