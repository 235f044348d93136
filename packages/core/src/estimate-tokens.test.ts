import { expect, test } from 'vitest';
import { estimateTextTokens } from './estimate-text-tokens.js';
import { estimateMessageTokens, estimatePartTokens, estimateToolTokens } from './estimate-tokens.js';

test('only the empty text has no tokens', () => {
  expect(estimateTextTokens('')).toBe(0);
  expect(estimateTextTokens('a')).toBe(1);
});

test('English counts about four letters a token, Chinese about one character', () => {
  expect(estimateTextTokens('word '.repeat(100))).toBeGreaterThan(100);
  expect(estimateTextTokens('word '.repeat(100))).toBeLessThan(140);
  expect(estimateTextTokens('汉'.repeat(160))).toBeGreaterThan(110);
  expect(estimateTextTokens('汉'.repeat(160))).toBeLessThan(200);
});

test('base64 weighs more than words of the same length', () => {
  const base64 = 'QUJDRA9+/'.repeat(1000);
  expect(estimateTextTokens(base64)).toBeGreaterThan(base64.length * 0.6);
});

test('images have a flat price, audio one by its length, an unknown part by its JSON', () => {
  expect(estimatePartTokens({ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(100_000)}` } })).toBe(765);
  expect(estimatePartTokens({ type: 'image_url', image_url: { url: 'https://x.test/a.png', detail: 'low' } })).toBe(85);
  expect(estimatePartTokens({ type: 'input_audio', input_audio: { data: 'A'.repeat(64_000), format: 'wav' } })).toBe(11);
  expect(estimatePartTokens({ type: 'tool_result', nested: 'word '.repeat(400) } as never)).toBeGreaterThan(400);
});

test('a message counts its calls and their arguments, a tool its schema', () => {
  const bare = estimateMessageTokens({ role: 'assistant', content: null });
  const call = { id: 'c1', type: 'function' as const, function: { name: 'search', arguments: '{"query":"weather in Graz"}' } };
  expect(estimateMessageTokens({ role: 'assistant', content: null, tool_calls: [call] })).toBeGreaterThan(bare + 8);
  const tool = { name: 'search', description: 'Searches.', inputSchema: { type: 'object', properties: { query: { type: 'string' } } } };
  expect(estimateToolTokens(tool)).toBeGreaterThan(estimateToolTokens({ ...tool, inputSchema: {} }));
});

test('a real tokenizer takes the place of the estimate', () => {
  expect(estimateMessageTokens({ role: 'user', content: 'abc' }, () => 7)).toBe(11);
});
