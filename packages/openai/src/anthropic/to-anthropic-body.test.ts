import type { ChatMessage, ModelRequest } from '@x/core';
import { expect, test } from 'vitest';
import { toolSchemaOf } from '../tool-schema.js';
import { type Block, toAnthropicBody } from './to-anthropic-body.js';

const body = (request: Partial<ModelRequest>, thinking?: readonly Block[], refused: readonly ('temperature' | 'cache_control')[] = []) =>
  toAnthropicBody(
    { messages: [], tools: [], ...request },
    { model: 'm', schemaOf: toolSchemaOf, thinkingOf: () => thinking, cache: true, defaultMaxTokens: 4096, refused: new Set(refused) },
  );
const messagesOf = (messages: readonly ChatMessage[], thinking?: readonly Block[]): readonly unknown[] =>
  body({ messages }, thinking)['messages'] as unknown[];
const text = (value: string): Block => ({ type: 'text', text: value });

test('the system prompt is a field, the limit is always there, one mark asks for the cache', () => {
  expect(
    body({
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hi' },
      ],
    }),
  ).toEqual({
    model: 'm',
    max_tokens: 4096,
    system: 'Be kind.',
    messages: [{ role: 'user', content: [text('Hi')] }],
    cache_control: { type: 'ephemeral' },
    stream: true,
  });
  expect(body({ maxOutputTokens: 7, temperature: 1.4 })).toMatchObject({ max_tokens: 7, temperature: 1 });
  const plain = body({ temperature: 0.3 }, undefined, ['temperature', 'cache_control']);
  expect(['temperature' in plain, 'cache_control' in plain, 'system' in plain]).toEqual([false, false, false]);
});

test('a system prompt and a result of blank space are none: the endpoint refuses them', () => {
  expect(
    body({
      messages: [
        { role: 'system', content: ' \n' },
        { role: 'user', content: 'Hi' },
      ],
    }),
  ).not.toHaveProperty('system');
  expect(
    messagesOf([
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: 'run', arguments: '{}' } }] },
      { role: 'tool', content: '\r\n', tool_call_id: 'a' },
    ]).at(-1),
  ).toEqual({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: '(no output)' }] });
});

test('calls and results are blocks, all results of one answer in one message, before any text', () => {
  expect(
    messagesOf([
      { role: 'user', content: 'Go' },
      {
        role: 'assistant',
        content: 'Both.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'add', arguments: '{"x":1}' } },
          { id: 'b', type: 'function', function: { name: 'list', arguments: '' } },
        ],
      },
      { role: 'tool', content: '2', tool_call_id: 'a' },
      { role: 'tool', content: '', tool_call_id: 'b' },
      { role: 'user', content: 'And now?' },
    ]),
  ).toEqual([
    { role: 'user', content: [text('Go')] },
    {
      role: 'assistant',
      content: [
        text('Both.'),
        { type: 'tool_use', id: 'a', name: 'add', input: { x: 1 } },
        { type: 'tool_use', id: 'b', name: 'list', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: '2' },
        { type: 'tool_result', tool_use_id: 'b', content: '(no output)' },
        text('And now?'),
      ],
    },
  ]);
});

test('neighbours of one role become one message, blank text is dropped, the user comes first', () => {
  expect(
    messagesOf([
      { role: 'assistant', content: 'Welcome.' },
      { role: 'user', content: 'a' },
      { role: 'user', content: ' ' },
      { role: 'system', content: 'a late note' },
      { role: 'assistant', content: '' },
      { role: 'user', content: 'b' },
    ]),
  ).toEqual([
    { role: 'user', content: [text('(The conversation begins with the assistant.)')] },
    { role: 'assistant', content: [text('Welcome.')] },
    { role: 'user', content: [text('a'), text('a late note'), text('b')] },
  ]);
});

test('a blank message of the user is told as one, so that the model does not go on with its own answer', () => {
  const blank = { role: 'user', content: [text('(a message without text)')] };
  expect(messagesOf([{ role: 'user', content: ' ' }])).toEqual([blank]);
  expect(
    messagesOf([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: '' },
    ]),
  ).toEqual([{ role: 'user', content: [text('a')] }, { role: 'assistant', content: [text('b')] }, blank]);
});

test('a name that a model made up is replayed in letters that are allowed', () => {
  const [, call] = messagesOf([
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: 'my.tool', arguments: '{}' } }] },
    { role: 'tool', content: 'no', tool_call_id: 'a' },
  ]) as { content: Block[] }[];
  expect(call?.content[0]).toMatchObject({ name: 'my_tool' });
});

test('broken arguments are replayed inside JSON, odd ids in letters that are allowed, alike for call and result', () => {
  const [, call, result] = messagesOf([
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'a:1', type: 'function', function: { name: 'add', arguments: '{"x"' } }] },
    { role: 'tool', content: 'no', tool_call_id: 'a:1' },
  ]) as { content: Block[] }[];
  expect(call?.content).toEqual([{ type: 'tool_use', id: 'call_a1m1', name: 'add', input: { unparseable: '{"x"' } }]);
  expect(result?.content[0]?.['tool_use_id']).toBe('call_a1m1');
});

test('thinking goes back before the calls that it led to', () => {
  const thinking = [{ type: 'thinking', thinking: 'hm', signature: 's' }];
  const [, call] = messagesOf(
    [
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: 'I add.', tool_calls: [{ id: 'a', type: 'function', function: { name: 'add', arguments: '{}' } }] },
      { role: 'tool', content: '1', tool_call_id: 'a' },
    ],
    thinking,
  ) as { content: Block[] }[];
  expect(call?.content.map((block) => block.type)).toEqual(['thinking', 'text', 'tool_use']);
});

test('pictures travel by address or by data; sound is named', () => {
  const url = (address: string): ChatMessage => ({ role: 'user', content: [{ type: 'image_url', image_url: { url: address } }] });
  expect(messagesOf([url('https://x.example/a.png')])).toEqual([
    { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://x.example/a.png' } }] },
  ]);
  expect(messagesOf([url('data:image/png;base64,AAAA')])).toEqual([
    { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }] },
  ]);
  expect(messagesOf([{ role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'x', format: 'wav' } }] }])).toEqual([
    { role: 'user', content: [text('(a sound recording, which this model cannot hear)')] },
  ]);
});

test('tools have an input schema; lone surrogates are replaced everywhere', () => {
  const sent = body({
    messages: [{ role: 'user', content: 'a\ud83d' }],
    tools: [{ name: 'add', description: 'b\udc00', inputSchema: {} }],
  });
  expect(sent['tools']).toEqual([{ name: 'add', description: 'b\ufffd', input_schema: { type: 'object', properties: {} } }]);
  expect(JSON.stringify(sent)).not.toMatch(/\\ud[89a-f]/i);
});

test('a message that only calls may leave its content out', () => {
  const call = { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'run', arguments: '{}' } }] };
  expect(messagesOf([{ role: 'user', content: 'Hi' }, call as unknown as ChatMessage])[1]).toEqual({
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'a', name: 'run', input: {} }],
  });
});

test('an answer whose calls are null, as a store of a host may give it, is one without calls', () => {
  const answer = { role: 'assistant', content: 'yes', tool_calls: null } as unknown as ChatMessage;
  expect(messagesOf([{ role: 'user', content: 'Hi' }, answer, { role: 'user', content: 'And?' }])).toEqual([
    { role: 'user', content: [text('Hi')] },
    { role: 'assistant', content: [text('yes')] },
    { role: 'user', content: [text('And?')] },
  ]);
});
