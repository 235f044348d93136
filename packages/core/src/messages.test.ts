import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ChatMessage,
  generate,
  type IChatModel,
  type Layout,
  layoutMessages,
  type ModelEvent,
  nextBlocks,
  pending,
  pendingOf,
  resultOf,
  type Stored,
  textOf,
  toWire,
  validateMessages,
} from './index.js';

const call = (id: string): NonNullable<ChatMessage['tool_calls']>[number] => ({
  id,
  type: 'function',
  function: { name: 'look', arguments: '{}' },
});
const asks = (...ids: string[]): ChatMessage => ({ role: 'assistant', content: null, tool_calls: ids.map(call) });
const gives = (id: string): ChatMessage => ({ role: 'tool', content: 'seen', tool_call_id: id });
const says = (role: 'user' | 'system'): ChatMessage => ({ role, content: 'text' });

test.each<[string, readonly ChatMessage[], readonly string[]]>([
  ['a plain talk', [says('system'), says('user'), { role: 'assistant', content: 'a' }], []],
  ['parallel calls in any order', [says('user'), asks('a', 'b'), gives('b'), gives('a')], []],
  ['the same id in two turns', [asks('a'), gives('a'), asks('a'), gives('a')], []],
  ['a result without its call', [says('user'), gives('a')], ['orphan_result@1']],
  ['a call without its result', [asks('a', 'b'), gives('a'), says('user')], ['missing_result@0']],
  ['a call at the end', [asks('a')], ['missing_result@0']],
  ['a result after something else', [asks('a'), says('user'), gives('a')], ['missing_result@0', 'orphan_result@2']],
  ['a result twice', [asks('a'), gives('a'), gives('a')], ['duplicate_result@2']],
  ['an id twice', [asks('a', 'a'), gives('a')], ['duplicate_call_id@0']],
  ['no id', [asks('')], ['call_without_id@0']],
  ['a second system prompt', [says('system'), says('system')], ['system_not_first@1']],
])('%s', (_title, messages, issues) => {
  expect(validateMessages(messages).map(({ code, index }) => `${code}@${index}`)).toEqual(issues);
});

test('what is laid out for any endpoint is sound, late notes included', () => {
  const input = (id: string): Stored => ({ id, role: 'user', origin: 'user', content: id });
  const history: readonly Stored[] = [
    input('m1'),
    { ...asks('a'), id: 'm2', origin: 'assistant' },
    { ...gives('a'), id: 'm3', origin: 'tool' },
    input('m4'),
  ];
  for (const lateNote of ['system', 'developer', 'fenced-user'] as const)
    for (const transcript of ['chat', 'completion'] as const)
      for (const placement of ['kept-on-change', 'late', 'leading'] as const)
        for (const mergeUserRuns of [true, false]) {
          const blocks = [{ before: 'm1', part: 'state', text: 'old' }];
          const layout: Layout = {
            stable: { system: 's' },
            tools: [],
            history,
            blocks,
            volatile: { state: 'new' },
            current: [input('m5')],
            placement,
          };
          const row = { lateNote, transcript, mergeUserRuns, structuredOutput: false };
          const { messages } = layoutMessages({ ...layout, blocks: nextBlocks(layout) }, row);
          expect([row, placement, validateMessages(messages)]).toEqual([row, placement, []]);
        }
});

test('only a state note may be a later system message', () => {
  const list: readonly ChatMessage[] = [says('system'), says('user'), { role: 'system', content: 'State note of mine' }];
  expect(validateMessages(list).map(({ code, index }) => [code, index])).toEqual([['system_not_first', 2]]);
});

test('cutting a sound list anywhere but between whole turns is noticed', () =>
  fc.assert(
    fc.property(fc.array(fc.constantFrom('talk', 'tools'), { minLength: 1, maxLength: 10 }), fc.nat(), (turns, seed) => {
      const list = turns.flatMap((kind, n) =>
        kind === 'talk' ? [says('user')] : [says('user'), asks(`${n}a`, `${n}b`), gives(`${n}a`), gives(`${n}b`)],
      );
      const cut = seed % list.length;
      const startsWithResult = list[cut]?.role === 'tool';
      expect(validateMessages(list.slice(cut)).length > 0).toBe(startsWithResult);
    }),
  ));

test('what is ours stays off the wire, and text is read from parts', () => {
  const message: ChatMessage = {
    id: 'm',
    role: 'user',
    origin: 'user',
    sender: { id: 'u', owner: true },
    content: [
      { type: 'text', text: 'a' },
      { type: 'image_url', image_url: { url: 'data:,' } },
      { type: 'text', text: 'b' },
    ],
  };
  expect(toWire(message)).toEqual({ role: 'user', content: message.content });
  expect([textOf(message), textOf({ content: null }), textOf({ content: 'x' })]).toEqual(['a\nb', '', 'x']);
  // A client leaves the content of a message out that only calls.
  expect([{}, { content: 5 }, { content: [null, { type: 'text', text: 'x' }] }].map((odd) => textOf(odd as never))).toEqual(['', '', 'x']);
});

test('a pending request survives in a result, and other results hold none', () => {
  const request = { id: 'r1', kind: 'approval', prompt: 'May I?', url: 'https://example.org' };
  expect(pendingOf(pending(request))).toEqual(request);
  expect(resultOf(pending(request))).toEqual({ output: 'May I?\nhttps://example.org', isError: true });
  expect([pendingOf('text'), pendingOf({ output: 'x', metadata: { pending: { id: 1 } } })]).toEqual([undefined, undefined]);
});

const modelOf = (events: readonly ModelEvent[]): IChatModel => ({
  modelId: 'm',
  providerId: 'p',
  capabilities: { lateNote: 'system', mergeUserRuns: false, structuredOutput: false },
  async *stream() {
    yield* events;
  },
});
const request = { messages: [says('user')], tools: [] };

test('a stream is folded into one answer', async () => {
  const answer = await generate(
    modelOf([
      { type: 'reasoning-delta', text: 'hm' },
      { type: 'text-delta', text: 'Hel' },
      { type: 'text-delta', text: 'lo' },
      { type: 'tool-call', call: call('a') },
      { type: 'model-end', finish: 'tool-calls', usage: { inputTokens: 3 } },
    ]),
    request,
  );
  expect(answer).toEqual({
    text: 'Hello',
    reasoning: 'hm',
    calls: [call('a')],
    finish: 'tool-calls',
    usage: { inputTokens: 3 },
    message: { role: 'assistant', content: 'Hello', tool_calls: [call('a')] },
  });
});

test('events of other types are passed over, and counts that cannot be true are unknown', async () => {
  const end = { type: 'model-end', finish: 'stop' } as const;
  const other = { type: 'citation', text: 'x' } as never;
  const usage = { inputTokens: Number.NaN, outputTokens: -1, cachedTokens: 0 };
  const answer = await generate(modelOf([other, { type: 'text-delta', text: 'Hello' }, other, { ...end, usage }]), request);
  expect([answer.text, answer.usage]).toEqual(['Hello', { cachedTokens: 0 }]);
  expect((await generate(modelOf([end as never]), request)).usage).toEqual({});
});

test('a stream without its last event is a failure that may be tried again', async () => {
  await expect(generate(modelOf([{ type: 'text-delta', text: 'Hel' }]), request)).rejects.toMatchObject({
    code: 'model_stream_cut',
    retryable: true,
  });
});

test('an abort throws its own reason', async () => {
  const reason = new Error('stopped');
  await expect(generate(modelOf([{ type: 'text-delta', text: 'x' }]), request, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('a transcript that another client stored may say that there are no calls', () => {
  const stored = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'hello', tool_calls: null },
  ];
  expect(validateMessages(stored as never)).toEqual([]);
});
