import { validateMessages } from '@x/core';
import { expect, test } from 'vitest';
import { repairPairs } from './repair-pairs.js';

const call = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
});
const result = (id: string, content = id) => ({ role: 'tool', tool_call_id: id, content });
const user = { role: 'user', content: 'hi' };

test('a sound list comes back as it is', () => {
  const messages = [user, call('a', 'b'), result('b'), result('a'), user];
  expect(repairPairs(messages)).toEqual({ messages, repairs: 0 });
  expect(repairPairs(messages).messages).toBe(messages);
});

test('an id that is used again in a later call is no fault', () => {
  const messages = [user, call('a'), result('a'), call('a'), result('a')];
  expect(repairPairs(messages).repairs).toBe(0);
});

test('a note between a call and its result moves behind the result', () => {
  const note = { role: 'system', content: 'note' };
  const { messages } = repairPairs([call('a'), note, result('a')]);
  expect(messages).toEqual([call('a'), result('a'), note]);
});

test('second results, second calls of one id and strange results go', () => {
  const { messages } = repairPairs([user, call('a', 'a'), result('a', 'first'), result('a', 'second'), result('z')]);
  expect(messages).toEqual([user, call('a'), result('a', 'first')]);
  expect(validateMessages(messages as never)).toEqual([]);
});

test('a missing result is written in the shape of its call', () => {
  const anthropic = repairPairs([{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] }, user]);
  expect(anthropic.messages[1]).toMatchObject({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', is_error: true }] });
  const beside = repairPairs([
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'a' },
        { type: 'tool_use', id: 'b' },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'b', content: 'x' }] },
  ]);
  expect(beside.messages).toHaveLength(2);
  expect((beside.messages[1] as { content: object[] }).content).toHaveLength(2);
  const responses = repairPairs([{ type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' }, user]);
  expect(responses.messages[1]).toMatchObject({ type: 'function_call_output', call_id: 'a' });
  const sdk = repairPairs([{ role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'f', input: {} }] }, user]);
  expect(sdk.messages[1]).toMatchObject({ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'f' }] });
});

test('calls of custom tools are paired as those of functions are, each closed in its own form', () => {
  const call = { type: 'custom_tool_call', call_id: 'a', name: 'patch', input: '*** Begin' };
  const answer = { type: 'custom_tool_call_output', call_id: 'a', output: 'ok' };
  expect(repairPairs([call, answer]).repairs).toBe(0);
  expect(repairPairs([answer, user]).messages).toEqual([user]);
  expect(repairPairs([call, { type: 'function_call', call_id: 'b', name: 'f', arguments: '{}' }, user]).messages).toMatchObject([
    call,
    { call_id: 'b' },
    { type: 'custom_tool_call_output', call_id: 'a' },
    { type: 'function_call_output', call_id: 'b' },
    user,
  ]);
});

test('a reasoning item stays in front of its call', () => {
  const messages = [
    { type: 'reasoning', id: 'r' },
    { type: 'function_call', call_id: 'a' },
    { type: 'reasoning', id: 's' },
    { type: 'function_call', call_id: 'b' },
    { type: 'function_call_output', call_id: 'a' },
    { type: 'function_call_output', call_id: 'b' },
  ];
  expect(repairPairs(messages).messages).toBe(messages);
});

test('a result inside the message of its call, as a provider that runs its own tools writes it, is no fault', () => {
  const own = [
    { type: 'tool-call', toolCallId: 'a', toolName: 'web_search', input: {}, providerExecuted: true },
    { type: 'tool-result', toolCallId: 'a', toolName: 'web_search', output: { type: 'text', value: 'found' } },
    { type: 'text', text: 'Here it is.' },
  ];
  const messages = [user, { role: 'assistant', content: own }, user];
  expect(repairPairs(messages).messages).toBe(messages);
  const open = { type: 'tool-call', toolCallId: 'b', toolName: 'f', input: {} };
  const both = [{ role: 'assistant', content: [...own, open] }, { role: 'tool', content: [{ ...own[1], toolCallId: 'b' }] }, user];
  expect(repairPairs(both).messages).toBe(both);
  const cut = repairPairs([{ role: 'assistant', content: [...own, open] }, user]).messages;
  expect(cut).toHaveLength(3);
  expect(cut[1]).toMatchObject({ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'b' }] });
});

test('a human is asked about a call and answers: neither is a result, and both stay', () => {
  const asks = {
    role: 'assistant',
    content: [
      { type: 'tool-call', toolCallId: 'a', toolName: 'remove', input: {} },
      { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' },
    ],
  };
  const answers = { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'p', approved: true }] };
  const done = {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'remove', output: { type: 'text', value: 'ok' } }],
  };
  for (const messages of [
    [user, asks, answers, done, user],
    [user, asks, answers],
    [user, asks],
  ])
    expect(repairPairs(messages).messages).toBe(messages);
  // Nobody waits for an answer any more once the user has gone on.
  expect(repairPairs([asks, user]).messages).toMatchObject([
    asks,
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a' }] },
    user,
  ]);
});

test('calls that a local model gave no ids are paired by their number', () => {
  const named = (name: string) => ({ function: { name, arguments: {} } });
  const caller = { role: 'assistant', content: '', tool_calls: [named('f'), named('g')] };
  const of = (name: string) => ({ role: 'tool', tool_name: name, content: name });
  const whole = [user, caller, of('f'), of('g'), user];
  expect(repairPairs(whole).messages).toBe(whole);
  expect(repairPairs([user, caller, of('f'), user]).messages).toEqual([
    user,
    caller,
    of('f'),
    { role: 'tool', content: expect.stringContaining('no result') },
    user,
  ]);
  expect(repairPairs([user, caller, of('f'), of('g'), of('h'), user]).messages).toEqual(whole);
});
