import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ITool } from '@x/core';
import { expect, test } from 'vitest';
import { makeDir, read, writeFiles } from '../test/make-dir.js';
import { BOOTSTRAP_ORDER } from './bootstrap.js';
import { fromDir } from './from-dir.js';
import type { MemoryTool } from './memory-tool.js';

const ava = fileURLToPath(new URL('../../../examples/persona-agent/ava', import.meta.url));
const memoryOf = (agent: ReturnType<typeof fromDir>): MemoryTool =>
  agent.tools.find(({ name }) => name === 'memory') as unknown as MemoryTool;

test('the example directory is an agent without a problem', () => {
  const agent = fromDir(ava);
  expect(agent).toMatchObject({ name: 'ava', model: 'inherit', memory: true, problems: [] });
  expect(agent.composed.found).toEqual(BOOTSTRAP_ORDER);
  expect(agent.does).toBe('Personal assistant who remembers, reminds and keeps it short.');
  expect(agent.persona).toMatchObject({ id: 'ava', name: 'Ava', heartbeat: { cron: '0 9 * * *', timeZone: 'Europe/Lisbon' } });
});

test('what one session saves the next one recalls, and the running one does not change', async () => {
  const dir = makeDir();
  cpSync(ava, dir, { recursive: true });
  const first = fromDir(dir);
  await memoryOf(first).execute({ action: 'add', target: 'user', text: 'Prefers dark roast' });
  expect(read(dir, 'USER.md')).toContain('- Prefers dark roast\n');
  expect(first.soul).not.toContain('dark roast');
  expect(fromDir(dir).soul).toContain('Prefers dark roast');
});

test('no description and no tool text names a path of the machine', () => {
  const dir = makeDir();
  const agent = fromDir(dir);
  expect(JSON.stringify([agent.does, agent.name, agent.soul, agent.tools])).not.toContain(dir);
});

test('memory: false leaves the tool out; a host’s own memory tool takes its place', () => {
  const dir = makeDir({ 'SOUL.md': 'Ava.', 'HEARTBEAT.md': '- look' });
  const own: ITool = { name: 'memory', description: 'mine', inputSchema: {}, execute: () => '' };
  expect(fromDir(dir).tools.map(({ name }) => name)).toEqual(['memory']);
  expect(fromDir(dir, { memory: false })).toMatchObject({ tools: [], memory: false });
  expect(fromDir(dir, { tools: [own] }).tools).toEqual([own]);
});

test('inbox: true gives the owner a tool to promote what strangers told, over the same notes', async () => {
  const dir = makeDir({ 'SOUL.md': 'Ava.', 'inbox/bob/MEMORY.md': '- Meet at nine\n' });
  const names = (options: Parameters<typeof fromDir>[1]) => fromDir(dir, options).tools.map(({ name }) => name);
  expect([names({}), names({ inbox: true }), names({ inbox: true, memory: false })]).toEqual([['memory'], ['memory', 'memory_inbox'], []]);
  const { tools } = fromDir(dir, { inbox: true });
  const inbox = tools[1] as unknown as MemoryTool;
  expect(await inbox.execute({ action: 'promote', sender: 'bob', text: 'nine' })).toMatchObject({ isError: false });
  expect(read(dir, 'MEMORY.md')).toBe('- Meet at nine\n');
});

test('options of the seed and of the runtime are handed on', () => {
  const hooks = { name: 'mine' };
  expect(
    fromDir(makeDir(), { name: 'eva', does: 'helps', model: 'm', budget: { maxTurns: 3 }, hooks, memory: { maxBytes: { self: 9 } } }),
  ).toMatchObject({
    name: 'eva',
    does: 'helps',
    model: 'm',
    budget: { maxTurns: 3 },
    hooks,
  });
});

test('a missing directory is an error unless it may be made', () => {
  const dir = join(makeDir(), 'nobody');
  expect(() => fromDir(dir)).toThrow(expect.objectContaining({ code: 'persona_dir_missing' }));
  expect(fromDir(dir, { create: true })).toMatchObject({ name: 'nobody', soul: '' });
});

test('the lane of a directory is its real path, whatever way leads to it', () => {
  const dir = makeDir({ 'SOUL.md': 'Ava.' });
  symlinkSync(dir, join(dir, '..', 'alias'));
  expect(fromDir(join(dir, '..', 'alias'))).toMatchObject({ dir: fromDir(dir).dir, name: 'ava' });
});

test('problems are told as they are met', () => {
  const dir = makeDir();
  writeFiles(dir, { 'SOUL.md': '---\n\tx\n---\n', 'persona.yaml': 'a: b: c' });
  const codes: string[] = [];
  const agent = fromDir(dir, { onProblem: ({ code }) => codes.push(code) });
  expect(codes).toEqual(['header_invalid', 'adaptive_file_invalid']);
  expect(agent.problems.map(({ code }) => code)).toEqual(codes);
});
