import type { ITool } from '@x/core';
import { createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { makeDir, read, writeFiles } from '../test/make-dir.js';
import type { Beat } from './beat-types.js';
import { DREAM_CHECKLIST, dream } from './dream.js';
import { inboxTool } from './inbox-tool.js';
import { memoryTool } from './memory-tool.js';
import { planTidy } from './plan-tidy.js';
import { startHeartbeat } from './start-heartbeat.js';

const now = Date.UTC(2026, 2, 2);
const clock = createVirtualClock(now);
const call = (beat: Pick<Beat, 'tools'>, name: string, args: unknown) =>
  (beat.tools.find((tool) => tool.name === name) as ITool<unknown>).execute(args, {});

test('the plain dream drops what is said twice and what has ended, shows a diff, and can be undone', async () => {
  const notes =
    '- Likes tea\n- Gym pass valid until 2026-02-27\n- Travels until 2026-03-02\n- likes  tea.\n- twice\n- Ann likes Bob\n- twice\n';
  const dir = makeDir({ 'MEMORY.md': notes, 'USER.md': '- Sam\n' });
  const result = await dream({ dir, clock });
  expect(read(dir, 'MEMORY.md')).toBe('- Travels until 2026-03-02\n- likes  tea.\n- Ann likes Bob\n- twice\n');
  expect(result.summary).toBe('Tidied 3 entries.');
  expect(result.diff.split('\n\n').slice(0, 2)).toEqual(['MEMORY.md:\n-- Likes tea', 'MEMORY.md:\n-- Gym pass valid until 2026-02-27']);
  expect(result.changes.every(({ by }) => by.kind === 'dream')).toBe(true);
  await result.undo();
  expect(read(dir, 'MEMORY.md')).toBe(notes);
});

test('tidy notes give a dream without changes', async () => {
  expect(await dream({ dir: makeDir({ 'MEMORY.md': '- a\n- b\n' }), clock })).toMatchObject({ summary: '', changes: [], diff: '' });
});

test('copies become one by a single edit, so that no crash comes between their going and the one that stays', () => {
  expect(planTidy([{ text: 'a' }, { text: 'b' }, { text: 'a' }], now)).toEqual([{ action: 'replace', text: '- a\n', with: 'a' }]);
});

test('an entry goes only when another one says all of it', () => {
  const texts = (entries: string[]) =>
    planTidy(
      entries.map((text) => ({ text })),
      now,
    ).map(({ text }) => text);
  expect(texts(['Sam lives in Lisbon', 'Sam lives in Lisbon, near the river'])).toEqual(['- Sam lives in Lisbon\n']);
  expect(texts(['Sam drinks coffee', 'Sam drinks no coffee in the evening'])).toEqual([]);
  expect(texts(['Ann likes Bob', 'Bob likes Ann'])).toEqual([]);
  expect(texts(['tea', 'tea and cake'])).toEqual([]);
  expect(texts(['Rent is 900', 'Rent is 950'])).toEqual([]);
});

test('a model that dreams sees the fresh soul and edits what is there then, not what it saw', async () => {
  const dir = makeDir({ 'SOUL.md': 'Ava.', 'MEMORY.md': '- tea\n- black tea\n' });
  const result = await dream({
    dir,
    clock,
    async runBeat(beat) {
      expect(beat.soul?.soul).toContain('- black tea');
      expect(beat.prompt).toContain('tidying your notes');
      writeFiles(dir, { 'MEMORY.md': `${read(dir, 'MEMORY.md')}- written meanwhile\n` });
      await call(beat, 'memory', { action: 'remove', text: '- tea\n' });
      return { status: 'done', text: 'Merged two notes on tea.' };
    },
  });
  expect(result).toMatchObject({ summary: 'Merged two notes on tea.', diff: 'MEMORY.md:\n-- tea' });
  expect(read(dir, 'MEMORY.md')).toBe('- black tea\n- written meanwhile\n');
});

test('a dream that fails is an error', async () => {
  const error = new Error('no network');
  await expect(dream({ dir: makeDir(), clock, runBeat: async () => ({ status: 'failed', error }) })).rejects.toBe(error);
});

test('the seed’s recipe: a nightly beat tidies, and the next night sees what it tidied', async () => {
  const dir = makeDir({ 'HEARTBEAT.md': DREAM_CHECKLIST, 'MEMORY.md': '- Likes tea\n- Likes green tea\n' });
  const night = createVirtualClock(now);
  const souls: string[] = [];
  const heartbeat = startHeartbeat({
    dir,
    clock: night,
    cron: '0 3 * * *',
    tools: [memoryTool(dir, { as: 'dream' }) as ITool],
    async runBeat(beat) {
      const soul = beat.soul?.soul ?? '';
      souls.push(soul);
      if (!soul.includes('- Likes tea')) return { status: 'done', text: 'HEARTBEAT_OK' };
      await call(beat, 'memory', { action: 'remove', text: '- Likes tea\n' });
      return { status: 'done', text: 'Merged two notes on tea.' };
    },
  });
  await night.advance(3 * 3_600_000);
  // The disk takes real time, so the clock waits for it.
  await expect.poll(() => heartbeat.beats, { timeout: 5_000 }).toEqual(['Merged two notes on tea.']);
  await night.advance(86_400_000);
  expect(souls).toHaveLength(2);
  expect(souls[1]).not.toContain('- Likes tea');
  expect(heartbeat.beats).toHaveLength(1);
  await heartbeat.stop();
});

test('the inbox shows strangers’ words as data and promotes one entry for an owner only', async () => {
  const dir = makeDir({ 'inbox/bob/MEMORY.md': '- Meet at nine\n- "quoted"\n' });
  const tool = inboxTool(dir);
  expect(await tool.execute({ action: 'list' })).toEqual({ output: 'bob:\n  "Meet at nine"\n  "\\"quoted\\""', isError: false });
  expect(await tool.execute({ action: 'promote', sender: 'bob', text: 'nobody' })).toMatchObject({ isError: true });
  expect(await tool.execute({ action: 'promote', sender: 'bob', text: 'nine' })).toMatchObject({ isError: false });
  expect([read(dir, 'MEMORY.md'), read(dir, 'inbox/bob/MEMORY.md')]).toEqual(['- Meet at nine\n', '- "quoted"\n']);
  const stranger = { turn: { id: 't', origin: 'user', input: { sender: { id: 'bob', owner: false } }, layout: { current: [] } } as never };
  expect(await tool.execute({ action: 'list' }, stranger)).toEqual({
    output: 'Only the owner may look through these notes.',
    isError: true,
  });
  expect(await tool.execute({ action: 'sweep' })).toMatchObject({ isError: true });
  expect(await tool.execute({ action: 'promote', sender: 'bob' })).toMatchObject({ isError: true });
});
