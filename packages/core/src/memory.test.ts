import { expect, test } from 'vitest';
import { InMemoryWorkingMemory } from './memory.js';

test('a host of the public system finds the calls that it makes: opening, counting, all values, closing', async () => {
  const memory = new InMemoryWorkingMemory();
  await memory.set('favorite_topic', { name: 'recursion' });
  await memory.initialize('gmi-1');
  await memory.initialize('gmi-2');
  expect(await memory.size()).toBe(1);
  const all = await memory.getAll();
  expect(all).toEqual({ favorite_topic: { name: 'recursion' } });
  expect(all.favorite_topic).not.toBe(await memory.get('favorite_topic'));
  await memory.close();
  expect(await memory.get('favorite_topic')).toEqual({ name: 'recursion' });
});
