import type { Sender, Stored, Turn } from '@x/core';
import { expect, test } from 'vitest';
import { makeDir, writeFiles } from '../test/make-dir.js';
import { memoryTool } from './memory-tool.js';
import { openSoul, soulHook } from './open-soul.js';

const turnFrom = (sender?: Sender): Turn => {
  const input: Stored = { id: 'm', role: 'user', content: 'hi', origin: 'user', sender };
  return { id: 't', origin: 'user', input, layout: { current: [input] } } as unknown as Turn;
};
type Composed = { readonly stable: { readonly soul: string }; readonly volatile?: { readonly sender: string } };

test('a soul stays as it was when the session opened, until it is reloaded by name', () => {
  const dir = makeDir({ 'SOUL.md': 'Ava.' });
  const session = openSoul(dir);
  const before = session.current;
  writeFiles(dir, { 'MEMORY.md': '- new\n' });
  expect(session.current).toBe(before);
  expect(session.reload()).toMatchObject({ changed: true, cause: 'reload' });
  expect(session.current.soul).toContain('- new');
  expect(session.reload()).toEqual({ soul: session.current, changed: false });
});

test('the hook gives the same bytes in every turn of the owner', () => {
  const dir = makeDir({ 'SOUL.md': 'Ava.', 'USER.md': '- Sam' });
  const hook = soulHook(dir);
  const first = hook.compose?.(turnFrom());
  writeFiles(dir, { 'MEMORY.md': '- new\n' });
  expect(hook.compose?.(turnFrom({ id: 'sam', owner: true }))).toEqual(first);
  expect(hook.reload().changed).toBe(true);
  expect(hook.compose?.(turnFrom())).not.toEqual(first);
});

test('a stranger’s turn holds what that stranger told and nothing of USER.md or of other strangers', async () => {
  const dir = makeDir({ 'SOUL.md': 'Ava.', 'USER.md': '- Sam’s secret\n', 'MEMORY.md': '- own\n' });
  const [bob, eve] = [turnFrom({ id: 'bob', owner: false }), turnFrom({ id: 'eve', owner: false })];
  await memoryTool(dir).execute({ action: 'add', text: 'bob’s word' }, { turn: bob });
  await memoryTool(dir).execute({ action: 'add', text: 'eve’s word' }, { turn: eve });
  const hook = soulHook(dir);
  const composed = hook.compose?.(bob) as Composed;
  expect(composed.stable.soul).toContain('- own');
  expect(composed.stable.soul).not.toMatch(/secret|word/);
  expect(composed.volatile?.sender).toContain('bob’s word');
  expect(composed.volatile?.sender).not.toContain('eve');
  expect(JSON.stringify(hook.compose?.(turnFrom()))).not.toContain('word');
});

test('a stranger’s soul is as old as the owner’s, whenever the stranger comes, and is read anew with it', () => {
  const dir = makeDir({ 'SOUL.md': 'Ava.', 'USER.md': '- Sam’s secret\n' });
  const hook = soulHook(dir);
  const soulFor = (sender: Sender) => (hook.compose?.(turnFrom(sender)) as Composed | undefined)?.stable.soul;
  writeFiles(dir, { 'MEMORY.md': '- new\n' });
  expect(soulFor({ id: 'bob', owner: false })).toBe('## SOUL.md\n\nAva.');
  hook.reload();
  expect(soulFor({ id: 'bob', owner: false })).toContain('- new');
  expect(soulFor({ id: 'bob', owner: false })).toBe(soulFor({ id: 'eve', owner: false }));
  expect(soulFor({ id: 'bob', owner: false })).not.toContain('secret');
});

test('a room whose audience is shared has one soul for all, and each stranger’s own notes', () => {
  const dir = makeDir({ 'SOUL.md': 'Ava.', 'USER.md': '- Sam’s secret\n', 'inbox/bob/MEMORY.md': '- likes tea\n' });
  const hook = soulHook(dir, { audience: 'shared' });
  const soul = '## SOUL.md\n\nAva.';
  expect(hook.compose?.(turnFrom({ id: 'sam', owner: true }))).toEqual({ stable: { soul } });
  expect(hook.compose?.(turnFrom({ id: 'bob', owner: false }))).toEqual({
    stable: { soul },
    volatile: { sender: expect.stringContaining('- likes tea') },
  });
  expect(hook.compose?.(turnFrom({ id: 'eve', owner: false }))).toEqual({ stable: { soul }, volatile: { sender: '' } });
});
