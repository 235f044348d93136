import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ITool } from '@x/core';
import { expect, test } from 'vitest';
import { day, done, minute, trial } from '../test/heartbeat-trial.js';
import { makeDir, writeFiles } from '../test/make-dir.js';

test('the beat’s message tells the time in its zone and how to stay silent', async () => {
  const { clock, beats, start } = trial({ cron: '0 9 * * *', timeZone: 'America/New_York' });
  const heartbeat = start();
  await clock.advance(day);
  expect(beats[0]?.prompt).toMatch(
    /^Heartbeat\. It is Monday, 2026-03-02, 09:00 \(America\/New_York\)\.\n[\s\S]*heartbeat_ok[\s\S]*HEARTBEAT_OK/,
  );
  expect(beats[0]?.tools.map(({ name }) => name)).toEqual(['heartbeat_ok', 'heartbeat_done']);
  await heartbeat.stop();
});

test('an empty, commented or missing HEARTBEAT.md costs no model call; one that is filled later does', async () => {
  const dir = makeDir({ 'SOUL.md': 'Ava.', 'HEARTBEAT.md': '# Tasks\n<!-- add tasks here -->\n' });
  const { clock, beats, reports, start } = trial({ everyMs: minute, dir });
  const heartbeat = start();
  await clock.advance(minute);
  rmSync(join(dir, 'HEARTBEAT.md'));
  await clock.advance(minute);
  expect(beats).toEqual([]);
  expect(reports.map(({ outcome }) => outcome)).toEqual(['empty', 'empty']);
  writeFiles(dir, { 'HEARTBEAT.md': '- look at the oven\n' });
  await clock.advance(minute);
  expect(beats).toHaveLength(1);
  await heartbeat.stop();
});

test('an end that another runtime calls a failure is one, and its text is no reply; so is what is no end at all', async () => {
  const ends = ['error', 'interrupted', 'closed', 'timeout'].map((status) => ({ status, text: 'The disk is full.' }));
  for (const end of [...ends, undefined, null, 'HEARTBEAT_OK', { status: 'done' }, { status: 'done', text: 5 }]) {
    const { clock, heard, failed, reports, start } = trial({ everyMs: minute, runBeat: async () => end as never });
    const heartbeat = start();
    await clock.advance(minute);
    const code = ends.includes(end as never) ? 'beat_failed' : 'invalid_argument';
    expect([heard, failed, reports.map(({ outcome }) => outcome)]).toEqual([[], [{ code, failures: 1 }], ['failed']]);
    await heartbeat.stop();
  }
});

test('a run that stopped at a limit says what it has', async () => {
  const reply = () => ({ status: 'incomplete', text: 'The disk is full.' }) as never;
  const { clock, heard, start } = trial({ everyMs: minute, reply });
  const heartbeat = start();
  await clock.advance(minute);
  expect(heard).toEqual(['The disk is full.']);
  await heartbeat.stop();
});

test('each beat gets the soul as the files are then', async () => {
  const dir = makeDir({ 'HEARTBEAT.md': '- tidy', 'MEMORY.md': '- old\n' });
  const { clock, beats, start } = trial({ everyMs: minute, dir });
  const heartbeat = start();
  await clock.advance(minute);
  writeFiles(dir, { 'MEMORY.md': '- new\n' });
  await clock.advance(minute);
  expect(beats.map(({ soul }) => /- (old|new)/.exec(soul?.soul ?? '')?.[1])).toEqual(['old', 'new']);
  expect(beats[0]?.soul?.hash).not.toBe(beats[1]?.soul?.hash);
  await heartbeat.stop();
});

test('a granted tool that speaks does not send the quiet token, nor a way to say nothing', async () => {
  const sent: unknown[] = [];
  const send: ITool<{ text: string }> = {
    name: 'send',
    description: 'Sends a message.',
    inputSchema: { type: 'object' },
    execute: (args) => {
      sent.push(args);
      return 'sent';
    },
  };
  const answers: unknown[] = [];
  const { clock, start } = trial({
    everyMs: minute,
    reply: async ({ tools }) => {
      const granted = tools.find(({ name }) => name === 'send')!;
      for (const text of ['HEARTBEAT_OK', '**HEARTBEAT_OK**', 'Nothing to report.', 'The disk is full. HEARTBEAT_OK'])
        answers.push(await granted.execute({ text } as never, {}));
      return done('HEARTBEAT_OK');
    },
  });
  const heartbeat = start({ tools: [send as ITool] });
  await clock.advance(minute);
  expect(sent).toEqual([{ text: 'The disk is full.' }]);
  expect(answers).toEqual([...Array(3).fill(expect.stringContaining('Nothing was sent')), 'sent']);
  await heartbeat.stop();
});

test('a task for one time is ticked off and comes no more, until its line changes', async () => {
  const dir = makeDir({ 'SOUL.md': 'Ava.', 'HEARTBEAT.md': '# Tasks\n- remind me once at noon: call mum\n- feed the cat every day\n' });
  const answers: unknown[] = [];
  const { clock, beats, reports, start } = trial({
    everyMs: minute,
    dir,
    reply: async ({ tools, prompt }) => {
      const tick = tools.find(({ name }) => name === 'heartbeat_done');
      if (!prompt.includes('Done for good')) {
        for (const item of ['cat', 'mail', '', 'Call  mum']) answers.push(await tick!.execute({ item } as never, {}));
      }
      return done('HEARTBEAT_OK');
    },
  });
  const first = start();
  await clock.advance(minute);
  expect(answers).toEqual([
    { output: 'This task repeats, so it stays: feed the cat every day', isError: true },
    { output: 'No open task has these words. Open are:\n- remind me once at noon: call mum\n- feed the cat every day', isError: true },
    { output: 'No open task has these words. Open are:\n- remind me once at noon: call mum\n- feed the cat every day', isError: true },
    'Done for good: remind me once at noon: call mum',
  ]);
  await first.stop();
  const second = start();
  await clock.advance(minute);
  expect(beats[1]?.prompt).toContain('Done for good, leave it out: remind me once at noon: call mum');
  writeFiles(dir, { 'HEARTBEAT.md': '- remind me once at noon: call mum\n  her number is new\n' });
  await clock.advance(minute);
  expect(beats).toHaveLength(2);
  expect(reports.at(-1)?.outcome).toBe('empty');
  writeFiles(dir, { 'HEARTBEAT.md': '- remind me once at one: call mum\n' });
  await clock.advance(minute);
  writeFiles(dir, { 'HEARTBEAT.md': '- remind me once at noon: call mum\n' });
  await clock.advance(minute);
  expect(beats).toHaveLength(4);
  await second.stop();
});

test('a task that was ticked off stays so when the process ends before the beat does', async () => {
  const dir = makeDir({ 'HEARTBEAT.md': '- call mum once\n' });
  const { clock, beats, start } = trial({
    everyMs: minute,
    dir,
    maxBeatMs: 30_000,
    reply: async ({ tools }) => {
      await tools.find(({ name }) => name === 'heartbeat_done')!.execute({ item: 'call mum' } as never, {});
      throw new Error('cut off');
    },
  });
  const heartbeat = start();
  await clock.advance(5 * minute);
  expect(beats).toHaveLength(1);
  await heartbeat.stop();
});
