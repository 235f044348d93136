import { estimateMessageTokens, estimateTextTokens, estimateTokens } from '@x/core';
import { expect, test } from 'vitest';
import { quoteTranscript } from './quote-transcript.js';
import { splitParts } from './split-parts.js';
import { createSummariser } from './summarise.js';

const accept = Object.assign(() => undefined, { rejected: () => undefined });

test('a part that was kept is not taken for the same messages behind another summary', async () => {
  const seen: string[] = [];
  let broken = true;
  const summariser = createSummariser({
    summarize: (older, { part, merging }) => {
      if (!merging && part === 2 && broken) throw new Error('busy');
      seen.push(merging ? 'merge' : String(older[0]!.content));
      return `Part ${part}.`;
    },
    summaryTokens: 50,
    windowTokens: 30,
    timeoutMs: 1_000,
    sections: undefined,
    clock: { now: () => 0, setTimeout: () => () => undefined },
    countText: (text) => text.length / 4,
    countMessage: (message) => (String((message as { content?: unknown }).content).startsWith('Part') ? 5 : 20),
  });
  const messages = [
    { role: 'user', content: 'one' },
    { role: 'user', content: 'two' },
  ];
  const ask = (previous: string) => summariser.summarise({ messages, starts: [0, 1], previous, signal: undefined }, accept);
  await expect(ask('Of Ada.')).rejects.toMatchObject({ reason: 'summarize_threw' });
  broken = false;
  await ask('Of Bob.');
  expect(seen.filter((text) => text.includes('Of '))).toEqual([expect.stringContaining('Of Ada.'), expect.stringContaining('Of Bob.')]);
});

test('parts that cannot be written as JSON are not taken for each other', async () => {
  const seen: string[] = [];
  const broken = true;
  const summariser = createSummariser({
    summarize: (older, { part, merging }) => {
      if (!merging && part === 3 && broken) throw new Error('busy');
      seen.push(merging ? 'merge' : (older as { content?: unknown }[]).map(({ content }) => String(content)).join());
      return `Part ${part}.`;
    },
    summaryTokens: 50,
    windowTokens: 30,
    timeoutMs: 1_000,
    sections: undefined,
    clock: { now: () => 0, setTimeout: () => () => undefined },
    countText: (text) => text.length / 4,
    countMessage: (message) => (String((message as { content?: unknown }).content).startsWith('Part') ? 5 : 20),
  });
  const odd = (content: string) => ({ role: 'user', content, size: 1n });
  const request = { messages: [odd('one'), odd('two'), odd('three')], starts: [0, 1, 2], previous: '', signal: undefined };
  await expect(summariser.summarise(request, accept)).rejects.toMatchObject({ reason: 'summarize_threw' });
  expect(seen).toEqual(['one', 'two']);
});

const split = { room: 800, countText: estimateTextTokens, countMessage: estimateMessageTokens };
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');

test('a message too long for one call is told in several, whole', () => {
  const messages = [
    { role: 'user', content: numbered(3_000) },
    { role: 'assistant', content: 'Read.' },
  ];
  const previous = 'They walked. '.repeat(100);
  const parts = splitParts({ messages, starts: [0, 1], previous }, split);
  const [first, ...others] = parts.map((part) => estimateTokens(part));
  expect(first! + estimateTextTokens(previous)).toBeLessThanOrEqual(split.room);
  expect(Math.max(...others)).toBeLessThanOrEqual(split.room);
  expect(parts.flat().every((message) => (message as { role: string }).role === 'user' || message === messages[1])).toBe(true);
  const told = quoteTranscript(parts.flat()).replaceAll(/(^|\n)user: /g, ' ');
  expect(told.match(/word\d+/g)).toEqual(messages[0]!.content.match(/word\d+/g));
});

test('a call too long for one call is told in words, its long results shortened', () => {
  const call = (text: string) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'write', arguments: JSON.stringify({ text }) } }],
  });
  const result = (content: string) => ({ role: 'tool', tool_call_id: 'a', content });
  const shortened = splitParts({ messages: [call('short'), result(numbered(3_000))], starts: [0], previous: '' }, split);
  expect(shortened).toHaveLength(1);
  expect(estimateTokens(shortened[0]!)).toBeLessThanOrEqual(split.room);
  const told = splitParts({ messages: [call(numbered(3_000)), result('saved')], starts: [0], previous: '' }, split);
  expect(Math.max(...told.map((part) => estimateTokens(part)))).toBeLessThanOrEqual(split.room);
  expect(quoteTranscript(told.flat())).toMatch(/calls write .*word0 [\s\S]*word2999[\s\S]*result: saved/);
});

test('a count that never gets smaller ends the splitting', () => {
  const messages = [{ role: 'user', content: numbered(3_000) }];
  const parts = splitParts({ messages, starts: [0], previous: '' }, { ...split, countMessage: () => 5_000 });
  expect(parts.length).toBeLessThanOrEqual(messages[0]!.content.length / 100);
});
