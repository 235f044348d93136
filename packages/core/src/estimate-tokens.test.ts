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

// The figures are those of o200k.
test.each([
  ['breaks', '\n'.repeat(4000), 250],
  ['breaks with blanks between', '\n    '.repeat(1000), 252],
  ['colours of a terminal', '\u001b[31mred\u001b[0m '.repeat(200), 2000],
  ['control characters', '\u0001\u0002\u0003\u0004'.repeat(250), 1000],
  ['pictures of a terminal', '\ue0b0\uf8ff'.repeat(500), 2000],
  ['Lao', 'ສະບາຍດີຊາວໂລກ'.repeat(80), 1920],
  ['Tibetan', 'བཀྲ་ཤིས་བདེ་ལེགས'.repeat(80), 1920],
  ['Amharic', 'ሰላም ልዑል '.repeat(80), 1120],
  ['Sinhala', 'ආයුබෝවන් ලෝකය '.repeat(80), 882],
  ['Cherokee', 'ᎣᏏᏲ '.repeat(80), 800],
  ['Braille, of which progress bars are made', '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'.repeat(100), 3000],
])('%s count about what they cost', (_title, text, tokens) => {
  expect(estimateTextTokens(text)).toBeGreaterThan(tokens * 0.7);
  expect(estimateTextTokens(text)).toBeLessThan(tokens * 1.4);
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

test('a document weighs by what it holds: text as text, base64 by the size of its file', () => {
  const text = 'word '.repeat(5000);
  const words = estimateTextTokens(text);
  const between = (part: object, least: number, most: number): void => {
    const tokens = estimatePartTokens(part);
    expect(tokens).toBeGreaterThanOrEqual(least);
    expect(tokens).toBeLessThanOrEqual(most);
  };
  between({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: text } }, words, words + 40);
  between({ type: 'document', source: { type: 'content', content: [{ type: 'text', text }] } }, words, words + 40);
  between({ type: 'document', source: { type: 'content', content: [{ type: 'image', source: {} }] } }, 765, 800);
  between({ type: 'file', file: { filename: 'a.txt', file_data: text } }, words, words + 60);
  between({ type: 'input_file', filename: 'a.txt', file_data: text }, words, words + 40);
  const pdf = 'JVBERi0x'.repeat(20_000);
  between({ type: 'document', title: 'A', source: { type: 'base64', media_type: 'application/pdf', data: pdf } }, 4000, 4060);
  between({ type: 'file', file: { file_data: `data:application/pdf;base64,${pdf}` } }, 4000, 4060);
  const encoded = btoa(text);
  between({ type: 'document', source: { type: 'base64', media_type: 'text/plain', data: encoded } }, words * 0.7, words * 1.4);
  between({ type: 'file', file: { file_data: `data:text/plain;base64,${encoded}` } }, words * 0.7, words * 1.4);
  const endless: Record<string, unknown> = { type: 'document' };
  endless['source'] = endless;
  between(endless, 1, 1000);
});

test('media have their price in whatever shape a host keeps them', () => {
  const data = 'iVBORw0KGgo'.repeat(40_000);
  const url = `data:image/png;base64,${data}`;
  const sdk = (value: object) => ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c', output: { type: 'content', value: [value] } }],
  });
  for (const message of [
    { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data }] },
    { role: 'user', content: [{ type: 'image', image: new Uint8Array(300_000) }] },
    { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: new Uint8Array(300_000) }] },
    sdk({ type: 'media', mediaType: 'image/png', data }),
    sdk({ type: 'image-data', mediaType: 'image/png', data }),
    sdk({ type: 'file-data', mediaType: 'image/png', data }),
    { role: 'tool', content: [{ type: 'image', mimeType: 'image/png', data }] },
    { role: 'tool', content: [{ type: 'resource', resource: { uri: 'a:b', mimeType: 'image/png', blob: data } }] },
    { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data } }] },
    { type: 'image_generation_call', id: 'i', status: 'completed', result: data },
    { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', image_url: url } },
    { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', image_url: url }] },
  ]) {
    expect(estimateMessageTokens(message)).toBeGreaterThanOrEqual(765);
    expect(estimateMessageTokens(message)).toBeLessThan(900);
  }
  const spoken = 'A'.repeat(64_000);
  expect(estimatePartTokens({ type: 'audio', mimeType: 'audio/wav', data: spoken })).toBeLessThan(30);
  expect(estimatePartTokens({ type: 'file', mediaType: 'audio/wav', data: spoken })).toBeLessThan(30);
  expect(estimatePartTokens({ type: 'file', mediaType: 'application/pdf', data: new Uint8Array(150_000) })).toBeLessThan(6000);
});

test('what a model thought counts by its text, also where that is sealed', () => {
  const sealed = 'qV7xZk0Rb3mLw9Tn'.repeat(500); // 8,000 characters of base64: 6,000 bytes of text
  const thoughts: readonly object[] = [
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: sealed },
    { role: 'assistant', content: [{ type: 'thinking', thinking: '', signature: sealed }] },
    { role: 'assistant', content: [{ type: 'redacted_thinking', data: sealed }] },
    { role: 'assistant', content: [{ type: 'reasoning', text: '', providerOptions: { openai: { reasoningEncryptedContent: sealed } } }] },
    { role: 'assistant', content: 'ok', reasoning_details: [{ type: 'reasoning.encrypted', data: sealed }] },
  ];
  for (const thought of thoughts) {
    expect(estimateMessageTokens(thought)).toBeGreaterThan(1_400);
    expect(estimateMessageTokens(thought)).toBeLessThan(1_600);
  }
  const spoken = { role: 'assistant', content: [{ type: 'thinking', thinking: 'we walk on and on '.repeat(100), signature: 'abc' }] };
  expect(estimateMessageTokens(spoken)).toBeGreaterThan(450);
});

test('what a tool answers in words counts as words, in whatever shape', () => {
  const text = 'word '.repeat(2000);
  const words = estimateTextTokens(text);
  for (const message of [
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', result: text }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', output: { type: 'text', value: text } }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', output: { type: 'content', value: [{ type: 'text', text }] } }] },
    { role: 'tool', content: [{ type: 'resource', resource: { mimeType: 'text/plain', text } }] },
  ]) {
    expect(estimateMessageTokens(message)).toBeGreaterThanOrEqual(words);
    expect(estimateMessageTokens(message)).toBeLessThan(words + 60);
  }
});

test('a tool counts alike in the shape of every client', () => {
  const name = 'search';
  const description = 'Searches the archive of letters. '.repeat(10);
  const schema = { type: 'object', properties: { query: { type: 'string', description: 'What to look for. '.repeat(10) } } };
  const own = estimateToolTokens({ name, description, inputSchema: schema });
  for (const tool of [
    { type: 'function', function: { name, description, parameters: schema } },
    { type: 'function', name, description, parameters: schema },
    { name, description, input_schema: schema },
  ])
    expect(estimateToolTokens(tool)).toBe(own);
  const standard = { '~standard': { version: 1, vendor: 'x', jsonSchema: { input: () => schema } }, toJSON: () => ({}) };
  expect(estimateToolTokens({ name, description, inputSchema: standard })).toBeGreaterThanOrEqual(own);
  expect(estimateToolTokens({ name, description } as never)).toBeLessThan(own);
});
