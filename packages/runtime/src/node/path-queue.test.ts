import { expect, test } from 'vitest';
import { createPathQueue } from './path-queue.js';

test('work on one path runs in its order, also behind work that failed, and other paths do not wait', async () => {
  const queue = createPathQueue();
  const said: string[] = [];
  let free = (): void => {};
  const gate = new Promise<void>((resolve) => {
    free = resolve;
  });
  const first = queue('a', async () => {
    await gate;
    said.push('a1');
    throw new Error('broken');
  });
  const second = queue('a', async () => said.push('a2'));
  await queue('b', async () => said.push('b'));
  free();
  await expect(first).rejects.toThrow('broken');
  await second;
  await queue('a', async () => said.push('a3'));
  expect(said).toEqual(['b', 'a1', 'a2', 'a3']);
});

test('what was given up while it waited does not run any more', async () => {
  const queue = createPathQueue();
  let open!: () => void;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const first = queue('a', () => gate);
  const given = new AbortController();
  let ran = false;
  const work = async () => {
    ran = true;
  };
  const second = queue('a', work, given.signal);
  given.abort(new Error('late'));
  open();
  await first;
  await expect(second).rejects.toThrow('late');
  expect(ran).toBe(false);
  expect(await queue('a', async () => 'next')).toBe('next');
});
