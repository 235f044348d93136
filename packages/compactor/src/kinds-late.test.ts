import { expect, test } from 'vitest';
import { assistant, call, filler, type Message, result, setUp, textsOf, user } from '../test/kinds-fixture.js';
import { compactor, estimateTokens, planCompaction, readFold } from './index.js';

// One test, or a few, for each kind of fault that was reported of systems like this one; the numbers are those reports.

test('K05 (27, 29, 30, 33) scripts, noise, tool schemas and nested results are counted', () => {
  expect(estimateTokens([user('漢'.repeat(160))])).toBeGreaterThan(100);
  const noise = Array.from({ length: 9_000 }, (_, index) => 'qV7x+Zk0Rb/3mLw9'[(index * 7 + (index >> 3)) % 16]).join('');
  expect(estimateTokens([result('c', noise)])).toBeGreaterThan(noise.length * 0.55);
  const tools = Array.from({ length: 60 }, (_, index) => ({
    name: `tool_${index}`,
    description: 'word '.repeat(100),
    inputSchema: { type: 'object' },
  }));
  expect(estimateTokens([], { tools })).toBeGreaterThan(6_000);
  const nested = {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'word '.repeat(5_000) }] }],
  };
  expect(estimateTokens([nested])).toBeGreaterThan(4_900);
  expect(
    estimateTokens([
      user(''),
      { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(1_000_000)}` } }] },
    ]),
  ).toBeLessThan(1_500);
});

test('K05 tools and overhead count against the budget, one estimate serves trigger and tail', () => {
  const messages = filler(8);
  const own = estimateTokens(messages);
  expect(planCompaction(messages, { maxTokens: own }).action).toBe('none');
  expect(planCompaction(messages, { maxTokens: own, overheadTokens: 1 }).action).not.toBe('none');
});

test('K06 (10, 11) one system prompt, first and untouched; the summary comes in another role', async () => {
  const system = { role: 'system', content: 'SOUL: careful.' };
  const out = (await setUp().run([system, ...filler(14), user('x')]))!;
  expect(out[0]).toBe(system);
  expect(out.filter(({ role }) => role === 'system')).toHaveLength(1);
  expect(out[1]).toMatchObject({ role: 'user', origin: 'synthetic' });
});

test('K06 a summary that another system stored as a system message is read and written anew, not nested', async () => {
  const { run } = setUp();
  const stored = { role: 'system', content: '[Summary of earlier conversation]\nThe user is called Mila.' };
  const out = (await run([{ role: 'system', content: 'SOUL' }, stored, ...filler(14), user('x')]))!;
  expect(out.filter(({ role }) => role === 'system')).toHaveLength(1);
  expect(textsOf(out).filter((text) => text.includes('[Summary of earlier conversation]'))).toHaveLength(1);
  const pinned = (await run([stored, ...filler(14), user('x')]))!;
  expect(pinned.some(({ role }) => role === 'system')).toBe(false);
  const taken = (await run([{ ...stored, role: 'user', origin: 'synthetic' }, ...filler(14), user('x')]))!;
  expect(textsOf(taken).filter((text) => text.includes('[Summary of earlier conversation]'))).toHaveLength(1);
});

test('K06 the summary before is given to the next summariser, first', async () => {
  const olders: Message[][] = [];
  const { run } = setUp({ summarize: (older) => `Summary ${olders.push(older as never)}.` });
  const first = (await run([...filler(14), user('x')]))!;
  await run([...first, assistant('y'), ...filler(14), user('z')]);
  expect(olders[1]![0]).toEqual({ role: 'user', content: '[Summary of earlier conversation]\nSummary 1.' });
  expect(JSON.stringify(olders[1]!.slice(1))).not.toContain('record-');
});

test('K07 (45, 46) with a memory tool every fold is preceded by one reminder, from the first on', async () => {
  const { run, types, memory } = setUp({ flushToMemory: true, windowTokens: 2_000 });
  let messages: Message[] = [{ role: 'system', content: 'SOUL' }];
  for (let cycle = 0; cycle < 4; cycle += 1) {
    messages = [...messages, ...filler(14), user('go on')];
    const reminded = (await run(messages, { tools: memory }))!;
    expect(reminded.slice(0, -1)).toEqual(messages);
    expect(textsOf(reminded).at(-1)).toContain('save it with the memory tool');
    messages = [...reminded, call(`m${cycle}`), result(`m${cycle}`, 'saved')];
    const folded = (await run(messages, { tools: memory }))!;
    expect(textsOf(folded).some((text) => text.includes('save it with the memory tool'))).toBe(false);
    messages = [...folded, assistant('and so on')];
  }
  expect(types().filter((type) => type === 'flush_requested')).toHaveLength(4);
  expect(types().filter((type) => type === 'folded')).toHaveLength(4);
});

test('K07 (47) without a memory tool, or over the window, it folds at once and says that nothing was flushed', async () => {
  const messages = [...filler(14), user('x')];
  const without = setUp({ flushToMemory: true });
  await without.run(messages);
  expect(without.events).toContainEqual({ type: 'flush_skipped', reason: 'no_memory_tool' });
  const over = setUp({ flushToMemory: true, windowTokens: 601 });
  await over.run(messages, { tools: over.memory });
  expect(over.events).toContainEqual({ type: 'flush_skipped', reason: 'over_window' });
  expect(over.types()).toContain('folded');
});

test('K07 a host that does not keep the reminder still gets its fold at the next call', async () => {
  const { run, memory, types } = setUp({ flushToMemory: true, windowTokens: 9_000 });
  const messages = [...filler(14), user('x')];
  await run(messages, { tools: memory });
  await run([...messages, assistant('y'), user('z')], { tools: memory });
  expect(types().slice(0, 2)).toEqual(['flush_requested', 'flushed']);
});

test('K07 extracted facts are saved before their messages leave; when that fails nothing changes', async () => {
  const order: string[] = [];
  const saving = setUp({
    extract: () => ['Mila prefers tea.'],
    saveFacts: (facts) => void order.push(facts.map(({ text }) => text).join()),
    archive: () => void order.push('archive'),
  });
  const out = await saving.run([...filler(14), user('x')]);
  expect(order).toEqual([expect.stringContaining('Mila prefers tea.'), 'archive']);
  expect(readFold(out!)!.ledger).toContainEqual({ kind: 'fact', by: 'note', text: 'Mila prefers tea.' });
  const failing = setUp({ saveFacts: () => Promise.reject(new Error('disk full')) });
  expect(await failing.run([...filler(14), user('x')])).toBeUndefined();
  expect(failing.events.at(-1)).toMatchObject({ type: 'fold_failed', code: 'save_facts_failed' });
});

test('K08 (42, 43) open tasks, decisions and finished work outlive the fold, framed as a record', async () => {
  const { run } = setUp();
  const messages = [
    user('Plan the move:\n- [ ] book the van\n- [ ] cancel the power contract\n- [x] pack the books'),
    assistant('We decided to go with the van of Halcyon Rentals.'),
    user('Did you reserve it?'),
    call('r1'),
    result('r1', 'reserved, reference HR-2210'),
    assistant("Yes. I'll send the papers on Friday."),
    ...filler(12),
    user('What is still open?'),
  ];
  const out = (await run(messages))!;
  const record = out[0]!.content as string;
  for (const text of ['book the van', 'cancel the power contract', 'Halcyon Rentals', 'HR-2210', 'Friday', 'not a message of the user'])
    expect(record).toContain(text);
  expect(out.at(-1)!.content).toBe('What is still open?');
  expect(readFold(out)!.ledger.find(({ text }) => text.includes('Halcyon'))!.kind).toBe('decision');
});

test('K03 (23) one message longer than a summariser accepts is summarised in several calls', async () => {
  const seen: number[] = [];
  // Equal parts would be asked for once.
  const text = Array.from({ length: 4_000 }, (_, index) => `word ${index}`).join(' ');
  const { run } = setUp({
    maxTokens: 3_000,
    summarizeWindowTokens: 1_000,
    summarize: (older, { part }) => {
      seen.push(estimateTokens(older));
      return `Part ${part} was read.`;
    },
  });
  const out = await run([user(text), assistant('Read.'), ...filler(20), user('on')]);
  expect(readFold(out!)!.revision).toBe(1);
  expect(Math.max(...seen)).toBeLessThanOrEqual(1_000);
  expect(seen.reduce((sum, tokens) => sum + tokens, 0)).toBeGreaterThan(6_000);
});

test('K04 (35) a result of a custom tool is shortened until the turn fits', async () => {
  const input = [
    user('Read it.'),
    { type: 'custom_tool_call', call_id: 'a', name: 'read', input: 'log' },
    { type: 'custom_tool_call_output', call_id: 'a', output: 'walk on '.repeat(2_000) },
  ];
  const out = (await setUp({ maxTokens: 400 }).run(input as never))!;
  expect(estimateTokens(out)).toBeLessThanOrEqual(400);
  expect(out.at(-1)).toMatchObject({ type: 'custom_tool_call_output', call_id: 'a' });
});

test.each([
  ['chat', 'image_url', 'text'],
  ['Responses', 'input_image', 'input_text'],
])('K04 (35), K10 a picture in a result of %s is left out and said to be, in parts of its own kind', async (dialect, type, text) => {
  const picture = { type, image_url: 'data:image/png;base64,AAAA' };
  const step = (id: string) =>
    dialect === 'chat'
      ? [call(id), { ...result(id, ''), content: [picture] }]
      : [
          { type: 'function_call', call_id: id, name: 'look', arguments: '{}' },
          { type: 'function_call_output', call_id: id, output: [picture] },
        ];
  const out = (await setUp({ maxTokens: 1_200 }).run([user('Look.'), ...step('a'), ...step('b')] as never))!;
  expect(JSON.stringify(out)).toContain(`[{"type":"${text}","text":"[picture left out]"}]`);
  expect(JSON.stringify(out.at(-1))).toContain(type);
  expect(estimateTokens(out)).toBeLessThanOrEqual(1_200);
});

test('K04 (35) a JSON result of the AI SDK is shortened until the turn fits', async () => {
  const { run, types } = setUp({ maxTokens: 4_000 });
  const rows = Array.from({ length: 4_000 }, (_, id) => ({ id, name: `row ${id}` }));
  const out = await run([
    user('go'),
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'k', toolName: 'x', input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'k', toolName: 'x', output: { type: 'json', value: { rows } } }] },
  ]);
  expect(estimateTokens(out!)).toBeLessThanOrEqual(4_000);
  expect(types()).toEqual(['shortened']);
});

test('K03, K37 a turn of many calls is shortened in large steps; in between what was sent stays as it was', async () => {
  const compact = compactor({ maxTokens: 4_000, summarize: () => 'They walked.' });
  let list: readonly object[] = [user('Walk all the way.')];
  let rewrites = 0;
  for (let step = 0; step < 60; step += 1) {
    list = [...list, call(`c${step}`), result(`c${step}`, `Mile ${step}. ${'walk on '.repeat(80)}`)];
    const outcome = await compact.run({ messages: list });
    if (!('messages' in outcome)) continue;
    rewrites += 1;
    list = outcome.messages;
  }
  expect(rewrites).toBeGreaterThan(1);
  expect(rewrites).toBeLessThan(9);
});
