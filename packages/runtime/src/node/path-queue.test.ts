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
