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
  Object.assign(all['favorite_topic'] as object, { name: 'loops' });
  await memory.close();
  expect(await memory.get('favorite_topic')).toEqual({ name: 'recursion' });
});
