import { expect, test } from 'vitest';
import { runExample } from './run-example.js';

const run = async (name: string) => {
  const result = await runExample(`persona-agents/${name}.ts`);
  expect([result.code, result.stderr]).toEqual([0, '']);
  return result;
};

test('from-dir: a folder answers, with its files in the system prompt', async () => {
  const { stdout, requests } = await run('from-dir');
  expect(stdout).toMatch(/^done ./);
  expect(JSON.stringify(requests[0]?.body)).toContain('## SOUL.md');
});

test('memory-tool: add, replace, a loud miss, and the notes about the user', async () => {
  const { stdout } = await run('memory-tool');
  const lines = stdout.trim().split('\n');
  expect(stdout).toContain('ok (add → MEMORY.md); loads next session');
  expect(stdout).toContain('ok (replace → MEMORY.md); loads next session');
  expect(stdout).toContain('not found: nonexistent');
  expect(stdout).toContain('ok (add → USER.md); loads next session');
  expect(lines.at(-1)).toBe('true');
});

test('heartbeat: beats run by themselves and stop when told', async () => {
  const { stdout, requests } = await run('heartbeat');
  expect(stdout).toMatch(/beats heard: \d+ errors: 0/);
  expect(requests.length).toBeGreaterThan(0);
});

test('compaction: a long talk folds and goes on', async () => {
  const { stdout } = await run('compaction-client');
  expect(stdout.trim()).toBe('done folds: true');
});

test('an agent with a compactor of its own runs', async () => {
  expect((await run('researcher')).stdout.trim()).toMatch(/^done \d+ true$/);
});

test('alive for weeks: soul, memory and compaction in one client', async () => {
  expect((await run('alive-for-weeks')).stdout.trim()).toMatch(/^done done/);
});

test('dream: a folder tidies its own memory and loses nothing', async () => {
  expect((await run('dream')).stdout).toContain('errors: 0 memory kept: true');
});

test('channel: each person gets an answer', async () => {
  const { stdout } = await run('channel-assistant');
  expect(stdout.split('\n').filter((line) => /^(anna|bob): ./.test(line))).toHaveLength(2);
});

test('two sessions: what the first saved, the second recalls', async () => {
  const { stdout } = await run('two-sessions');
  expect(stdout.trim().split('\n')).toEqual(['done true', 'true', 'done true']);
});
