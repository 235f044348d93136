import { expect, test } from 'vitest';
import { filler, setUp, user } from '../test/kinds-fixture.js';
import { type CompactorOptions, compactor, readFold } from './index.js';

const talk = () => [...filler(14), user('x')];

test.each([
  ['onEvent', 5],
  ['countTokens', 5],
  ['archive', 'folder'],
  ['fallback', {}],
  ['redact', true],
  ['extract', 1],
  ['saveFacts', []],
  ['sections', 'Goal'],
  ['sections', [1]],
])('%s that is no such thing is refused when the compactor is made, not at every fold', (name, value) => {
  const options = { maxTokens: 600, summarize: () => 's', [name]: value } as CompactorOptions;
  expect(() => compactor(options)).toThrow(expect.objectContaining({ code: 'invalid_argument', message: expect.stringContaining(name) }));
});

test('no options at all are an invalid argument', () => {
  for (const none of [undefined, null])
    expect(() => compactor(none as never)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
});

test.each([
  ['a promise', async () => 100],
  ['NaN', () => Number.NaN],
  ['text', () => '100'],
  ['less than nothing', () => -1],
])('a count that is %s fails the run by name, and is not taken for a conversation over its budget', async (_what, countTokens) => {
  const { compact, events } = setUp({ countTokens: countTokens as never });
  expect(await compact.run({ messages: talk() })).toMatchObject({
    status: 'failed',
    code: 'count_threw',
    error: { code: 'invalid_argument' },
  });
  expect(events).toMatchObject([{ type: 'fold_failed', code: 'count_threw' }]);
});

test('a listener may be async and reject', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  const { compact } = setUp({ onEvent: (async () => Promise.reject(new Error('no disk'))) as () => void });
  expect(await compact.run({ messages: talk() })).toMatchObject({ status: 'folded' });
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

const strange = [null, 5, {}, { text: 5 }, '', 'Mila pays 40 €.', { kind: 'rumour', by: 'neighbour', text: 'Her dog is Rex.' }];

test('of the facts that a summariser brings, those that are none cost nothing', async () => {
  const saved: unknown[] = [];
  const { compact } = setUp({
    summarize: () => ({ text: 'They walked.', facts: strange as never }),
    saveFacts: (facts) => void saved.push(...facts),
  });
  const outcome = await compact.run({ messages: talk() });
  expect(outcome).toMatchObject({ status: 'folded' });
  const kept = [
    { kind: 'fact', by: 'note', text: 'Mila pays 40 €.' },
    { kind: 'fact', by: 'note', text: 'Her dog is Rex.' },
  ];
  expect(saved).toEqual(expect.arrayContaining(kept));
  if (outcome.status !== 'folded') throw new Error('not folded');
  expect(outcome.fold.ledger).toEqual(expect.arrayContaining(kept));
  expect(readFold(outcome.messages)?.ledger).toEqual(outcome.fold.ledger);
  for (const facts of ['none', {}, 5, null]) {
    const other = setUp({ summarize: () => ({ text: 'They walked.', facts: facts as never, sections: 'Goal' as never }) });
    expect(await other.compact.run({ messages: talk() })).toMatchObject({ status: 'folded' });
  }
});

test('the same holds for an extractor; one that gives no list has failed', async () => {
  const { compact, events } = setUp({ extract: () => strange as never });
  expect(await compact.run({ messages: talk() })).toMatchObject({ status: 'folded' });
  expect(events[0]).toMatchObject({ type: 'flushed', facts: [{ text: 'Mila pays 40 €.' }, { text: 'Her dog is Rex.' }] });
  const none = setUp({ extract: () => undefined as never });
  expect(await none.compact.run({ messages: talk() })).toMatchObject({ status: 'folded' });
  expect(none.events[0]).toMatchObject({ type: 'flush_skipped', reason: 'extract_failed' });
});

test('usage that does not say of which list is no hint', async () => {
  const { compact } = setUp();
  const messages = filler(4, 5);
  for (const usage of [{ inputTokens: 5 }, {}, null, { inputTokens: Number.NaN, of: messages }])
    expect(await compact.run({ messages, usage: usage as never })).toMatchObject({ status: 'unchanged', reason: 'fits' });
});

test('a memory tool is known in the shape of a provider, and tools of the AI SDK are counted', async () => {
  const { compact } = setUp({ flushToMemory: true, windowTokens: 4000 });
  const memory = { type: 'function', function: { name: 'memory', description: 'Saves.', parameters: { type: 'object' } } };
  expect(await compact.run({ messages: talk(), tools: [memory] as never })).toMatchObject({ status: 'reminded' });
  const byName = { memory: { description: 'Saves. '.repeat(100), inputSchema: { type: 'object', properties: {} } } };
  const plain = await setUp({ maxTokens: 4000 }).compact.run({ messages: filler(4, 5) });
  const counted = await setUp({ maxTokens: 4000 }).compact.run({ messages: filler(4, 5), tools: byName as never });
  expect(counted.tokens - plain.tokens).toBeGreaterThan(150);
});
