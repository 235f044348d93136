import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom, drawConversation, write } from '../proof/lib/histories.mjs';
import { type ArchiveEntry, charsOverFour, compactor, createHistoryIndex, planCompaction, restore } from './index.js';

const dialect = fc.constantFrom('chat', 'anthropic', 'responses');
const seed = fc.integer({ min: 0, max: 2 ** 31 });

test('reading a list piece by piece gives what reading it at once gives', () =>
  fc.assert(
    fc.property(seed, dialect, (from, shape) => {
      const messages = write(drawConversation(createRandom(from)), shape);
      const count = (message: object) => charsOverFour([message]);
      const index = createHistoryIndex(count);
      for (let length = 0; length <= messages.length; length += 1) {
        const part = messages.slice(0, length);
        const limits = { maxTokens: Math.max(1, Math.floor(charsOverFour(part) / 2)) };
        expect(planCompaction(part, limits, index)).toEqual(planCompaction(part, { ...limits, countTokens: charsOverFour }));
      }
    }),
    { numRuns: 25 },
  ));

test('through any number of folds and prunings the original can be put together again', () =>
  fc.assert(
    fc.asyncProperty(seed, async (from) => {
      const random = createRandom(from);
      const archive: ArchiveEntry[] = [];
      const compact = compactor({
        maxTokens: 700,
        ledgerTokens: 150,
        summarize: () => 'They talked.',
        archive: (entry) => void archive.push(entry),
      });
      const original: object[] = [];
      let messages: readonly object[] = [];
      for (let turn = 0; turn < 8; turn += 1) {
        const added = write({ ...drawConversation(random, { sound: true }), marked: false }, 'chat').filter(
          (message) => (message as { role: string }).role !== 'system',
        );
        original.push(...added);
        messages = [...messages, ...added];
        messages = (await compact({ messages }))?.messages ?? messages;
      }
      expect(restore(messages, archive)).toEqual(original);
    }),
    { numRuns: 20 },
  ));

test('a missing archive entry is refused', () => {
  const [a, b, c] = [
    { role: 'user', content: 'a' },
    { role: 'user', content: 'b' },
    { role: 'user', content: 'c' },
  ];
  expect(() => restore([c], [{ revision: 1, before: [a], after: [b] }])).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
});
