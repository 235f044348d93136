import { estimateMessageTokens, estimateTextTokens } from '@x/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortenResults, shortenText } from './shorten.js';
import { wellFormed } from './well-formed.js';

const count = { message: estimateMessageTokens, text: estimateTextTokens };

test('a shortened text keeps its beginning, its end and what was lifted from the gap', () => {
  const text = `first ${'middle '.repeat(500)}secret ${'middle '.repeat(500)}last`;
  const short = shortenText(text, 60, estimateTextTokens, () => ['R-7']);
  expect(short).toMatch(/^first.*\[… \d+ characters left out, with R-7 …\].*last$/s);
  expect(estimateTextTokens(short)).toBeLessThanOrEqual(60);
});

test('no cut leaves half of a surrogate pair, and no text grows', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), fc.integer({ min: 1, max: 300 }), (text, maxTokens) => {
      const short = shortenText(text, maxTokens, estimateTextTokens);
      if (short === text) return;
      expect(wellFormed(short)).toBe(short);
      expect(estimateTextTokens(short)).toBeLessThanOrEqual(Math.max(maxTokens, 12));
    }),
    { numRuns: 100 },
  ));

test('an emoji on the limit is cut before or behind, not through', () => {
  for (let keep = 1; keep < 60; keep += 1)
    expect(wellFormed(shortenText('🎉'.repeat(200), keep, estimateTextTokens))).not.toContain('\ufffd');
});

test('results shrink to one level, large ones first; small ones and calls stay', () => {
  const message = {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'a', content: 'word '.repeat(1_000) },
      { type: 'tool_result', tool_use_id: 'b', content: 'short' },
      { type: 'text', text: 'and this?' },
    ],
  };
  const short = shortenResults(message, 120, count);
  expect(estimateMessageTokens(short)).toBeLessThanOrEqual(125);
  expect(short.content[1]).toBe(message.content[1]);
  expect(short.content[2]).toBe(message.content[2]);
  expect(shortenResults(message, 5_000, count)).toBe(message);
});

test('results of every shape are shortened', () => {
  const long = 'word '.repeat(600);
  for (const message of [
    { role: 'tool', tool_call_id: 'a', content: long },
    { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: long }] },
    { type: 'function_call_output', call_id: 'a', output: long },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', output: { type: 'text', value: long } }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'a', output: { type: 'json', value: { rows: Array(300).fill('row') } } }],
    },
  ])
    expect(estimateMessageTokens(shortenResults(message, 80, count))).toBeLessThanOrEqual(100);
});

test("the AI SDK's JSON results become the JSON of their value, as short as they count in the message", () => {
  const rows = Array.from({ length: 4_000 }, (_, id) => ({ id, name: `row ${id}` }));
  const toolResult = (output: object) => ({ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'x', output }] });
  const short = (output: object) => shortenResults(toolResult(output), 900, count);
  for (const [type, becomes] of [
    ['json', 'text'],
    ['error-json', 'error-text'],
  ] as const) {
    const message = short({ type, value: { rows } });
    expect(message.content[0]!.output).toMatchObject({ type: becomes, value: expect.stringMatching(/^\{"rows":\[\{"id":0,/) });
    expect(estimateMessageTokens(message)).toBeLessThanOrEqual(900);
  }
  const parts = short({ type: 'content', value: [{ type: 'text', text: 'word '.repeat(4_000) }] });
  expect(parts.content[0]!.output).toMatchObject({ type: 'content', value: [{ type: 'text', text: expect.stringMatching(/^word /) }] });
  expect(estimateMessageTokens(parts)).toBeLessThanOrEqual(900);
});
