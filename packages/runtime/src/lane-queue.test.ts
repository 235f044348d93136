import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLaneQueue, type Rank } from './lane-queue.js';

const never = () => new AbortController().signal;

test('one at a time, users before beats, each in the order of arrival', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom<Rank>('user', 'beat'), { minLength: 1, maxLength: 12 }), async (ranks) => {
      const queue = createLaneQueue();
      const done: string[] = [];
      let inside = 0;
      await Promise.all(
        ranks.map((rank, index) =>
          queue.run(
            async () => {
              inside += 1;
              expect(inside).toBe(1);
              await Promise.resolve();
              done.push(`${rank} ${index}`);
              inside -= 1;
            },
            { rank, signal: never() },
          ),
        ),
      );
      const [first, ...rest] = ranks.map((rank, index) => `${rank} ${index}`);
      const byRank = (rank: Rank) => rest.filter((name) => name.startsWith(rank));
      expect(done).toEqual([first, ...byRank('user'), ...byRank('beat')]);
      expect([queue.busy, queue.waiting]).toEqual([false, 0]);
    }),
  );
});

test('who is aborted while waiting leaves the line, and a failure gives the lane to the next', async () => {
  const queue = createLaneQueue();
  const abort = new AbortController();
  const failing = queue.run(
    async () => {
      throw new Error('failed');
    },
    { rank: 'user', signal: never() },
  );
  const left = queue.run(async () => 'never', { rank: 'user', signal: abort.signal });
  const next = queue.run(async () => 'next', { rank: 'beat', signal: never() });
  abort.abort(new Error('gone'));
  await expect(failing).rejects.toThrow('failed');
  await expect(left).rejects.toThrow('gone');
  expect(await next).toBe('next');
});
