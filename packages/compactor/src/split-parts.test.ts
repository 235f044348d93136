import { expect, test } from 'vitest';
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
