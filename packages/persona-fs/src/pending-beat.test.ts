import { createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import type { BeatOutcome, PendingBeat } from './beat-types.js';
import { startHeartbeat } from './start-heartbeat.js';

test('a beat that waits for a human says which beat it is, and its end is heard when it comes', async () => {
  const clock = createVirtualClock(0);
  const ids: string[] = [];
  const asked: (readonly [prompt: string, beat: PendingBeat])[] = [];
  let answer: (end: BeatOutcome) => void = () => undefined;
  const resumed = new Promise<BeatOutcome>((resolve) => {
    answer = resolve;
  });
  const heartbeat = startHeartbeat({
    everyMs: 1_000,
    key: 'ava',
    checklist: () => '- look after the mail',
    clock,
    async runBeat({ id }) {
      ids.push(id);
      return { status: 'pending', request: { id: 'q1', kind: 'approval', prompt: 'Send it?' }, resumed };
    },
    onPending: ({ prompt }, beat) => void asked.push([prompt, beat]),
  });
  await clock.advance(1_000);
  expect(ids).toEqual(['ava@1000']);
  expect(asked).toEqual([['Send it?', { id: 'ava@1000', dueAtMs: 1_000, atMs: 1_000, resumed }]]);
  expect(heartbeat.beats).toEqual([]);
  answer({ status: 'done', text: 'It is sent.' });
  await clock.advance(0);
  expect(heartbeat.beats).toEqual(['It is sent.']);
  await heartbeat.stop();
});
