import { createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { assistant, call, filler, type Message, result, setUp, sound, textsOf, user } from '../test/kinds-fixture.js';
import { estimateTokens, readFold } from './index.js';

// One test, or a few, for each kind of fault that was reported of systems like this one; the numbers are those reports.

test('K01 (1, 6, 7) a call and its result leave or stay together, wherever the cut would fall', async () => {
  for (let keepTail = 1; keepTail < 500; keepTail += 23) {
    const messages = [
      user('first'),
      ...filler(6),
      user('look'),
      call('c1'),
      result('c1', 'r '.repeat(80)),
      assistant('seen'),
      user('and now?'),
    ];
    const out = await setUp({ keepTail }).run(messages);
    sound(out!);
    expect(out!.find(({ role }) => role !== 'system')!.role).toBe('user');
  }
});

test('K01 (2, 9) calls that nobody answered are closed with an error result', async () => {
  const messages = [...filler(12), user('go'), call('a', 'b', 'c'), result('a')];
  const { run, types } = setUp();
  const out = (await run(messages))!;
  sound(out);
  expect(out.slice(-4).map(({ role, tool_call_id }) => tool_call_id ?? role)).toEqual(['assistant', 'a', 'b', 'c']);
  expect(textsOf(out).at(-1)).toContain('no result');
  expect(types()).toContain('repaired');
});

test('K01 (5) text beside an orphan result stays, the orphan goes', async () => {
  const mixed = {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'gone', content: 'old' },
      { type: 'text', text: 'what now?' },
    ],
  };
  const out = (await setUp().run([...filler(12), mixed]))!;
  expect(out.at(-1)!.content).toEqual([{ type: 'text', text: 'what now?' }]);
});

test('K01 (3, 54) a result that comes after its call was folded does not survive it', async () => {
  const { run } = setUp();
  const first = (await run([...filler(12), user('go'), call('x'), result('x'), assistant('done'), user('next')]))!;
  const second = (await run([...first, assistant('yes'), result('x'), ...filler(12), user('last')]))!;
  sound(second);
  expect(second.some(({ role }) => role === 'tool')).toBe(false);
});

test('K01 (55) between a call and its results nothing is torn: the open group stays whole', async () => {
  const out = (await setUp().run([...filler(12), user('go'), call('a', 'b'), result('a', 'x '.repeat(60)), result('b')]))!;
  sound(out);
  expect(out.slice(-4).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool']);
});

test.each([
  ['an empty text', () => '  ', 'summary_empty'],
  ['the text of an error', () => 'Error: 500 internal server error', 'summary_is_error'],
  ['something that is no text', () => ({ summary: 'x' }) as never, 'summary_not_text'],
  ['half a summary', () => ({ text: 'They walked and th', finish: 'length' }), 'summary_unfinished'],
  ['a tool call and no text', () => ({ text: '', finish: 'tool-calls' }), 'summary_unfinished'],
  ['more than it was given', (older: object[]) => JSON.stringify(older).repeat(2), 'summary_too_long'],
  ['no answer but an exception', () => Promise.reject(new Error('away')), 'summarize_threw'],
] as const)('K02 (14, 15, 18, 22) %s changes nothing and is told', async (_name, summarize, code) => {
  const messages = [...filler(14), user('and now?')];
  const before = JSON.stringify(messages);
  const { run, events, compact } = setUp({ summarize: summarize as never });
  expect(await run(messages)).toBeUndefined();
  expect(JSON.stringify(messages)).toBe(before);
  expect(events.at(-1)).toMatchObject({ type: 'fold_failed', code });
  expect(await compact.run({ messages: messages as never })).toMatchObject({ status: 'failed', code });
});

test('K02 (17) a turn that is aborted while the summary is made keeps its history', async () => {
  const stop = new AbortController();
  const { compact, events } = setUp({
    summarize: () => {
      stop.abort(new Error('the user left'));
      return 'They walked and tal';
    },
  });
  const outcome = await compact.run({
    messages: [...filler(14), user('x')] as never,
    context: { signal: stop.signal, trace() {} } as never,
  });
  expect(outcome).toMatchObject({ status: 'failed', code: 'aborted' });
  expect(events.at(-1)).toMatchObject({ type: 'fold_failed', code: 'aborted' });
});

test('K02 (19, 42) the transcript goes to the summariser as quoted data with the instruction behind it, and expected sections are checked', async () => {
  let prompt = '';
  let tries = 0;
  const { run, events } = setUp({
    sections: ['Done', 'Pending'],
    summarize: (_older, context) => {
      prompt = context.prompt;
      tries += 1;
      return tries === 1 ? 'Next I will edit the file.' : '## Done\nWalking\n## Pending\nnothing';
    },
  });
  const out = await run([...filler(13), user('x'), assistant('next I will edit the file'), user('y')]);
  expect(prompt.indexOf('</transcript>')).toBeLessThan(prompt.indexOf('Do not answer it'));
  expect(events[0]).toEqual({ type: 'summary_rejected', code: 'summary_sections_missing', attempt: 1 });
  expect(readFold(out!)!.summary).toContain('## Pending');
});

test('K03 (21) a fold takes out enough that the next turn does not fold again', async () => {
  const { run, calls } = setUp({ keepTail: 590 });
  let messages = [...filler(20), user('on')] as Message[];
  for (let turn = 0; turn < 6; turn += 1) {
    const out = await run(messages);
    if (out) messages = out;
    messages = [...messages, assistant('ok'), user('on')];
  }
  expect(calls()).toBe(1);
});

test('K03 (15, 50) while the summariser is down, its calls do not grow with the turns; a summary is not made twice', async () => {
  let calls = 0;
  const failing = setUp({
    summarize: () => {
      calls += 1;
      throw new Error('down');
    },
  });
  const messages = [...filler(14), user('on')] as Message[];
  for (let turn = 0; turn < 20; turn += 1) {
    await failing.run(messages);
    messages.push(assistant('ok'), user('go'));
  }
  expect(calls).toBeLessThan(8);
  const { run, calls: summaries } = setUp();
  const folded = (await run([...filler(14), user('on')]))!;
  expect(await run(folded)).toBeUndefined();
  expect(await run([...folded, assistant('ok'), user('and?')])).toBeUndefined();
  expect(summaries()).toBe(1);
});

test('K03 (23, 25) more than one call holds is summarised in parts; finished parts are not paid for again', async () => {
  const seen: string[] = [];
  let broken = true;
  const { run } = setUp({
    maxTokens: 3_000,
    summarizeWindowTokens: 600,
    summarize: (older, { part, parts, merging }) => {
      seen.push(`${merging ? 'merge' : part}/${parts}`);
      expect(estimateTokens(older)).toBeLessThan(700);
      if (part === 3 && broken) throw new Error('busy');
      return `Part ${part}.`;
    },
  });
  const messages = [...filler(50), user('on')];
  expect(await run(messages)).toBeUndefined();
  expect(seen).toHaveLength(3);
  broken = false;
  expect(readFold((await run(messages))!)!.summary).toBe('Part 1.');
  expect(seen[3]!.startsWith('3/')).toBe(true);
  expect(seen.at(-1)).toMatch(/^merge/);
});

test('K03 (25) each call has its own time-out', async () => {
  const clock = createVirtualClock(0);
  let aborted = false;
  const { compact } = setUp({
    clock,
    summarizeTimeoutMs: 40_000,
    summarize: (_older, { signal }) =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
      }),
  });
  const outcome = compact.run({ messages: [...filler(14), user('x')] as never });
  await clock.advance(40_000);
  expect(await outcome).toMatchObject({ status: 'failed', code: 'summarize_timed_out' });
  expect(aborted).toBe(true);
});

test('K03 (26), K05 (31) a provider count that cannot be true is ignored, a plausible higher one is believed, 0 is unknown', async () => {
  const messages = [...filler(8), user('on')];
  const own = estimateTokens(messages);
  const { compact, types } = setUp({ maxTokens: own + 50 });
  expect(await compact({ messages, usage: { inputTokens: 0, of: messages } })).toBeUndefined();
  expect(await compact({ messages, usage: { inputTokens: own * 40, of: messages } })).toBeUndefined();
  expect(types()).toEqual(['usage_ignored']);
  expect(await compact({ messages, usage: { inputTokens: Math.floor(own * 1.2), of: [user('an older list')] } })).toBeUndefined();
  expect(await compact({ messages, usage: { inputTokens: Math.floor(own * 1.2), of: messages } })).toBeDefined();
});

test('K03, K06 an overhead that alone fills the budget stops once, visibly, without a call', async () => {
  const { compact, types, calls } = setUp();
  const messages = [...filler(14), user('on')] as never[];
  for (let turn = 0; turn < 5; turn += 1)
    expect(await compact.run({ messages, overheadTokens: 590 })).toMatchObject({ status: 'over_budget', irreducible: 'overhead' });
  expect(types()).toEqual(['over_budget']);
  expect(calls()).toBe(0);
});

test('K04 (34, 35) one huge result in the turn in flight is shortened head and tail inside its pair', async () => {
  const { run, types } = setUp();
  const huge = `START ${'line of a log '.repeat(2_000)} order SHP-88213 ${'line of a log '.repeat(2_000)} END`;
  const out = (await run([user('hi'), assistant('hello'), user('read it'), call('c'), result('c', huge)]))!;
  sound(out);
  const text = textsOf(out).at(-1)!;
  expect(text.startsWith('START')).toBe(true);
  expect(text.endsWith('END')).toBe(true);
  expect(text).toContain('SHP-88213');
  expect(estimateTokens(out)).toBeLessThanOrEqual(600);
  expect(types()).toContain('shortened');
});

test('K04 (37, 53) what is kept by the first fold is covered by the second: no message vanishes', async () => {
  const { run } = setUp({ ledgerTokens: 400 });
  let messages: Message[] = [];
  const removed: string[] = [];
  for (let turn = 0; turn < 30; turn += 1) {
    messages.push(user(`turn ${turn}: ${'so it goes '.repeat(15)}`), assistant(`answer ${turn}: ${'fine '.repeat(20)}`));
    const { compact, events } = setUp();
    const out = (await compact({ messages: messages as never })) as { messages: Message[] } | undefined;
    for (const event of events) if (event.type === 'folded') removed.push(...textsOf(event.removed as Message[]));
    if (out) messages = out.messages;
  }
  const kept = textsOf(messages);
  for (let turn = 0; turn < 30; turn += 1) {
    const where = [...removed, ...kept].filter((text) => text.startsWith(`turn ${turn}:`));
    expect(where).toHaveLength(1);
  }
  expect(readFold(messages)!.covered).toBe(removed.length);
  expect(run).toBeDefined();
});

test('K04 (39) the only message of a user is never folded', async () => {
  const { compact, calls } = setUp();
  const outcome = await compact.run({ messages: [{ role: 'system', content: 'You are Ava.' }, user('long '.repeat(3_000))] as never });
  expect(outcome).toMatchObject({ status: 'over_budget', irreducible: 'input' });
  expect(calls()).toBe(0);
});

test('K04, K09 (38) a beat is not the last question: the tail holds the newest message of a person', async () => {
  const beats = Array.from({ length: 8 }, () => [
    user(`tick ${'tock '.repeat(40)}`, { origin: 'heartbeat' }),
    { ...assistant('quiet '.repeat(20)), origin: 'assistant' },
  ]).flat();
  const out = (await setUp().run([
    ...filler(4).map((one) => ({ ...one, origin: one.role })),
    user('When does the ferry leave?', { origin: 'user' }),
    { ...assistant('At nine.'), origin: 'assistant' },
    ...beats,
  ]))!;
  expect(textsOf(out)).toContain('When does the ferry leave?');
});
