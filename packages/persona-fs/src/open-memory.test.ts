import { chmodSync, chownSync, readdirSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { makeDir, read, writeFiles } from '../test/make-dir.js';
import { lockDir } from './dir-lock.js';
import { formatDiff } from './memory-journal.js';
import { memoryTool } from './memory-tool.js';
import { openMemory } from './open-memory.js';
import { thisProcess } from './process-mark.js';

const day = 86_400_000;
const add = (text: string) => ({ target: 'self', edit: { action: 'add', text } }) as const;

test('two hundred adds at once are all there, in one file', async () => {
  const dir = makeDir();
  const [one, two] = [openMemory(dir), openMemory(dir)];
  await Promise.all(Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? one : two).edit(add(`fact ${index}`))));
  const lines = read(dir, 'MEMORY.md').trim().split('\n').sort();
  expect(lines).toEqual(Array.from({ length: 200 }, (_, index) => `- fact ${index}`).sort());
});

test('an edit is applied to the file as it is now, not as it was when the notes were opened', async () => {
  const dir = makeDir({ 'MEMORY.md': '- a\n' });
  const memory = openMemory(dir);
  await memory.edit(add('b'));
  writeFiles(dir, { 'MEMORY.md': '- a\n- b\n- by hand\n' });
  await memory.edit({ target: 'self', edit: { action: 'replace', text: '- b\n', with: 'c' } });
  expect(read(dir, 'MEMORY.md')).toBe('- a\n- c\n- by hand\n');
});

test('one request that is refused does not hold back the others of its group', async () => {
  const memory = openMemory(makeDir({ 'MEMORY.md': '- a\n- a b\n' }), { maxBytes: { self: 60 } });
  const outcomes = await Promise.allSettled([
    memory.edit(add('c')),
    memory.edit(add('x'.repeat(100))),
    memory.edit({ target: 'self', edit: { action: 'remove', text: 'a' } }),
    memory.edit(add('d')),
  ]);
  expect(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.outcome : (outcome.reason as { code: string }).code)),
  ).toEqual(['changed', 'memory_full', 'many', 'changed']);
  expect(read(memory.dir, 'MEMORY.md')).toBe('- a\n- a b\n- c\n- d\n');
});

test('every change can be listed as a diff and taken back, in any order that still fits', async () => {
  const dir = makeDir({ 'MEMORY.md': '- one\n- two\n- three\n' });
  const memory = openMemory(dir);
  await memory.edit({ target: 'self', edit: { action: 'remove', text: 'two' } });
  await memory.edit({ target: 'self', edit: { action: 'replace', text: 'three', with: 'four' } });
  await memory.edit(add('five'));
  expect(memory.log().map(formatDiff)).toEqual(['MEMORY.md:\n-- two', 'MEMORY.md:\n-- three\n+- four', 'MEMORY.md:\n+- five']);
  const [removal, replacement, addition] = memory.log();
  await memory.undo(removal!.id);
  expect(read(dir, 'MEMORY.md')).toBe('- one\n- two\n- four\n- five\n');
  await memory.undo(addition!.id);
  await memory.undo(replacement!.id);
  expect(read(dir, 'MEMORY.md')).toBe('- one\n- two\n- three\n');
  expect(
    memory
      .log()
      .slice(3)
      .map(({ action, undoes }) => ({ action, undoes })),
  ).toEqual([
    { action: 'undo', undoes: removal!.id },
    { action: 'undo', undoes: addition!.id },
    { action: 'undo', undoes: replacement!.id },
  ]);
});

test('undoing what has changed since is a conflict and changes nothing', async () => {
  const dir = makeDir();
  const memory = openMemory(dir);
  await memory.edit(add('tea'));
  writeFiles(dir, { 'MEMORY.md': '- tea and cake\n' });
  await expect(memory.undo(memory.log()[0]!.id)).rejects.toMatchObject({ code: 'memory_conflict' });
  await expect(memory.undo('note-unknown')).rejects.toMatchObject({ code: 'memory_conflict' });
  await expect(memory.undo(memory.log()[0]!.id, { kind: 'user', sender: 'bob', owner: false })).rejects.toMatchObject({
    code: 'not_owner',
  });
  expect(read(dir, 'MEMORY.md')).toBe('- tea and cake\n');
});

test('there is one copy for each day, and the newest fourteen stay', async () => {
  const dir = makeDir({ 'MEMORY.md': '- day 0\n' });
  const clock = createVirtualClock(Date.UTC(2026, 1, 20));
  const memory = openMemory(dir, { clock });
  for (let index = 1; index <= 20; index += 1) {
    await memory.edit(add(`day ${index}`));
    await memory.edit(add(`day ${index}, later`));
    await clock.advance(day);
  }
  const copies = readdirSync(join(dir, '.persona/backups')).sort();
  expect(copies).toHaveLength(14);
  expect(copies[0]).toBe('MEMORY.md.2026-02-26');
  expect(read(dir, `.persona/backups/${copies[0]}`)).toContain('day 6, later');
  expect(read(dir, `.persona/backups/${copies[0]}`)).not.toContain('day 7');
});

test('a journal line that a crash cut off harms no other', async () => {
  const dir = makeDir();
  await openMemory(dir).edit(add('a'));
  writeFiles(dir, { '.persona/journal.jsonl': `${read(dir, '.persona/journal.jsonl')}{"id":"note-x","at` });
  await openMemory(dir).edit(add('b'));
  expect(
    openMemory(dir)
      .log()
      .map(({ after }) => after),
  ).toEqual(['- a\n', '- b\n']);
  rmSync(join(dir, '.persona'), { recursive: true });
  expect(
    openMemory(dir)
      .entries()
      .map(({ text }) => text),
  ).toEqual(['a', 'b']);
});

test('a long journal starts anew and keeps one older part', async () => {
  const dir = makeDir();
  const memory = openMemory(dir, { journalMaxBytes: 400 });
  for (let index = 0; index < 12; index += 1) await memory.edit(add(`fact ${index}`));
  expect(readdirSync(join(dir, '.persona'))).toContain('journal.1.jsonl');
  expect(memory.log().length).toBeLessThan(12);
  expect(memory.log().at(-1)?.after).toBe('- fact 11\n');
});

test('left-overs of a killed writer are swept away and its lock does not hold', async () => {
  const dir = makeDir({ 'MEMORY.md': '- a\n' });
  const { machine } = thisProcess();
  writeFiles(dir, { '.persona/tmp/tmp-dead': 'half a fi', [`.persona/lock/t-000000000007-${machine}-4194300-99-abcdef`]: '' });
  writeFiles(dir, { [`.persona/lock/c-${machine}-4194301-98-abcdef`]: '' });
  await openMemory(dir, { lockTimeoutMs: 2_000 }).edit(add('b'));
  expect(read(dir, 'MEMORY.md')).toBe('- a\n- b\n');
  expect(readdirSync(join(dir, '.persona/tmp'))).toEqual([]);
  expect(readdirSync(join(dir, '.persona/lock'))).toEqual([]);
});

test('a living holder is waited for, and after the limit the request may be tried again', async () => {
  const dir = makeDir();
  await openMemory(dir).edit(add('a'));
  const lock = await lockDir(join(dir, '.persona/lock'), { self: thisProcess(), timeoutMs: 1_000 });
  await expect(openMemory(dir, { lockTimeoutMs: 20 }).edit(add('b'))).rejects.toMatchObject({ code: 'memory_busy', retryable: true });
  const patient = openMemory(dir).edit(add('c'));
  lock.release();
  await patient;
  expect(read(dir, 'MEMORY.md')).toBe('- a\n- c\n');
});

test('whoever waits for the lock can leave; those who wait beside it do not', async () => {
  const dir = makeDir();
  await openMemory(dir).edit(add('a'));
  const lock = await lockDir(join(dir, '.persona/lock'), { self: thisProcess(), timeoutMs: 1_000 });
  const memory = openMemory(dir);
  const [one, two] = [new AbortController(), new AbortController()];
  const left = memory.edit({ ...add('b'), signal: one.signal });
  const stays = memory.edit(add('c'));
  one.abort(new RangeError('enough'));
  await expect(left).rejects.toThrow('enough');
  lock.release();
  await stays;
  expect(read(dir, 'MEMORY.md')).toBe('- a\n- c\n');
  await expect(memory.edit({ ...add('d'), signal: one.signal })).rejects.toThrow('enough');
  await expect(memory.promote({ sender: 'bob', text: 'x', signal: one.signal })).rejects.toThrow('enough');
  await expect(memory.undo('x', undefined, { signal: one.signal })).rejects.toThrow('enough');

  const again = await lockDir(join(dir, '.persona/lock'), { self: thisProcess(), timeoutMs: 1_000 });
  const all = [
    memory.edit({ ...add('e'), signal: two.signal }),
    memoryTool(dir).execute({ action: 'add', text: 'f' }, { signal: two.signal }),
  ];
  await expect.poll(() => readdirSync(join(dir, '.persona/lock'))).toHaveLength(3);
  two.abort(new RangeError('all'));
  expect(await Promise.allSettled(all)).toMatchObject([
    { reason: new RangeError('all') },
    { value: { output: 'This was stopped before anything was written.', isError: true } },
  ]);
  // The places in the queue of the lock are given up too.
  await expect.poll(() => readdirSync(join(dir, '.persona/lock'))).toHaveLength(1);
  again.release();
});

test('a holder on another machine is waited for while it gives signs of life', async () => {
  const dir = makeDir();
  writeFiles(dir, { '.persona/lock/t-000000000001-ffffffffffff-1-0-abcdef': '' });
  await expect(openMemory(dir, { lockTimeoutMs: 20 }).edit(add('b'))).rejects.toMatchObject({ code: 'memory_busy' });
  const { utimesSync } = await import('node:fs');
  utimesSync(join(dir, '.persona/lock/t-000000000001-ffffffffffff-1-0-abcdef'), 0, 0);
  await openMemory(dir).edit(add('b'));
  expect(read(dir, 'MEMORY.md')).toBe('- b\n');
});

test('whoever lost the lock to another machine writes nothing', async () => {
  const dir = makeDir({ '.persona/lock/x': '' });
  const at = join(dir, '.persona/lock');
  const lock = await lockDir(at, { self: thisProcess(), timeoutMs: 1_000 });
  for (const name of readdirSync(at).filter((name) => name.startsWith('t-'))) unlinkSync(join(at, name));
  expect(() => lock.assertHeld()).toThrow(expect.objectContaining({ code: 'memory_busy' }));
});

test('lock holders come in the order in which they asked', async () => {
  const dir = makeDir({ '.persona/lock/x': '' });
  const order: number[] = [];
  await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      const lock = await lockDir(join(dir, '.persona/lock'), { self: thisProcess(), timeoutMs: 5_000 });
      order.push(index);
      lock.release();
    }),
  );
  expect(order).toEqual([0, 1, 2, 3, 4, 5]);
});

test('undo and entries work where nothing was ever written', async () => {
  const memory = openMemory(join(makeDir(), 'nobody'));
  expect([memory.entries(), memory.log(), memory.senders()]).toEqual([[], [], []]);
});

test('a file that nobody may write is left alone', async () => {
  const dir = makeDir({ 'MEMORY.md': '- pinned\n' });
  chmodSync(join(dir, 'MEMORY.md'), 0o444);
  const memory = openMemory(dir);
  await expect(memory.edit({ target: 'self', edit: { action: 'add', text: 'new' } })).rejects.toMatchObject({
    code: 'memory_write_failed',
  });
  expect(read(dir, 'MEMORY.md')).toBe('- pinned\n');
});

test.skipIf(process.getuid?.() !== 0)('a file that root edits stays its owner’s, with its group and its rights', async () => {
  const dir = makeDir({ 'MEMORY.md': '- a\n' });
  const path = join(dir, 'MEMORY.md');
  chownSync(path, 1234, 2345);
  chmodSync(path, 0o660);
  await openMemory(dir).edit(add('b'));
  const { uid, gid, mode } = statSync(path);
  expect([read(dir, 'MEMORY.md'), uid, gid, mode & 0o777]).toEqual(['- a\n- b\n', 1234, 2345, 0o660]);
});
