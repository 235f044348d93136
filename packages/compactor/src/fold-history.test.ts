import { createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { assistant, call, filler, result, setUp, user } from '../test/kinds-fixture.js';
import { type Fact, readFold } from './index.js';

const parcels = Array.from({ length: 60 }, (_, index) =>
  user(`The parcel number ${index} of my aunt is PX-${7_000 + index}. ${'walk on '.repeat(10)}`),
);
const never = () => new Promise<never>(() => undefined);
const history = () => [...filler(14), user('and now?')] as never[];

test.each([[0], [60], [4_000]])(
  'with a ledger of %i tokens every new fact is saved, also those without room in it',
  async (ledgerTokens) => {
    const saved: Fact[] = [];
    await setUp({ maxTokens: 2_000, keepTail: 100, ledgerTokens, saveFacts: (facts) => void saved.push(...facts) }).run([
      ...parcels,
      user('on'),
    ]);
    const texts = saved.map(({ text }) => text).join('\n');
    for (let index = 0; index < 55; index += 1) expect(texts).toContain(`PX-${7_000 + index}`);
  },
);

test('without a ledger nothing stands in the record, and nothing is called full', async () => {
  const { run, types } = setUp({ ledgerTokens: 0, saveFacts: () => undefined });
  expect(readFold((await run([...filler(12), user('My code is QX-99120.'), ...filler(4), user('on')]))!)!.ledger).toEqual([]);
  expect(types()).not.toContain('ledger_full');
});

test('a fact is saved once, not again with the next fold, and those of extract and summariser are among them', async () => {
  const saved: string[] = [];
  const { run } = setUp({
    extract: () => ['Mila prefers tea.'],
    summarize: () => ({ text: 'They walked.', facts: ['The ferry is called Meridian.'] }),
    saveFacts: (facts) => void saved.push(...facts.map(({ text }) => text)),
  });
  const first = (await run([user('My code is QX-99120.'), ...filler(14), user('on')]))!;
  await run([...first, assistant('ok'), ...filler(14), user('on')]);
  for (const text of ['My code is QX-99120.', 'Mila prefers tea.', 'The ferry is called Meridian.'])
    expect(saved.filter((one) => one === text)).toHaveLength(1);
});

test.each(['extract', 'saveFacts', 'archive'] as const)('a hung %s ends with the turn', async (name) => {
  const stop = new AbortController();
  let seen: AbortSignal | undefined;
  const { compact, events } = setUp({
    [name]: (_given: unknown, { signal }: { signal: AbortSignal }) => {
      seen = signal;
      queueMicrotask(() => stop.abort(new Error('the user left')));
      return never();
    },
  });
  const outcome = await compact.run({ messages: history(), context: { signal: stop.signal, trace() {} } as never });
  expect(outcome).toMatchObject({ status: 'failed', code: 'aborted', error: { message: 'the user left' } });
  expect(events.at(-1)).toMatchObject({ type: 'fold_failed', code: 'aborted' });
  expect(seen!.aborted).toBe(true);
});

test.each([
  ['saveFacts', 'save_facts_failed'],
  ['archive', 'archive_failed'],
] as const)('a hung %s ends at its time-out', async (name, code) => {
  const clock = createVirtualClock(0);
  const { compact, events } = setUp({ clock, hostTimeoutMs: 5_000, [name]: never });
  const outcome = compact.run({ messages: history() });
  await clock.advance(5_000);
  expect(await outcome).toMatchObject({ status: 'failed', code, error: { code: 'deadline_passed' } });
  expect(events.at(-1)).toMatchObject({ type: 'fold_failed', code, error: { code: 'deadline_passed' } });
});

test('an extract that is late or throws is told with its error, and the fold goes on', async () => {
  const clock = createVirtualClock(0);
  const late = setUp({ clock, hostTimeoutMs: 5_000, extract: never });
  const outcome = late.compact.run({ messages: history() });
  await clock.advance(5_000);
  expect(await outcome).toMatchObject({ status: 'folded' });
  expect(late.events).toContainEqual({
    type: 'flush_skipped',
    reason: 'extract_failed',
    error: expect.objectContaining({ code: 'deadline_passed' }),
  });
  const away = new Error('away');
  const throwing = setUp({ extract: () => Promise.reject(away) });
  await throwing.run(history());
  expect(throwing.events).toContainEqual({ type: 'flush_skipped', reason: 'extract_failed', error: away });
});

test('a failing archive is told with its error, for a fold as for a pruning', async () => {
  const full = new Error('disk full');
  const folding = setUp({ archive: () => Promise.reject(full) });
  expect(await folding.compact.run({ messages: history() })).toMatchObject({ status: 'failed', code: 'archive_failed', error: full });
  expect(folding.events.at(-1)).toMatchObject({ type: 'fold_failed', code: 'archive_failed', error: full });
  const pruning = setUp({
    archive: () => {
      throw full;
    },
  });
  const messages = [user('look'), call('c'), result('c', 'line of a log '.repeat(400)), assistant('seen'), ...filler(4), user('on')];
  expect(await pruning.compact.run({ messages: messages as never })).toMatchObject({
    status: 'failed',
    code: 'archive_failed',
    error: full,
  });
  expect(pruning.events).toEqual([{ type: 'fold_failed', code: 'archive_failed', error: full }]);
});

test('a credential that only its whole text tells of is neither saved nor in the ledger', async () => {
  const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7x1k\nQk9PS0lORzEyMzQ1Njc4\n-----END RSA PRIVATE KEY-----';
  const args = JSON.stringify({ note: 'x'.repeat(60), password: 'hunter2-99-abc' });
  const messages = [
    user(`Keep this, please:\n${key}\nMy password is:\nseagull-88-x`),
    { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'post', arguments: args } }] },
    { role: 'tool', tool_call_id: 'c', content: '{"user":"ann-17","password":"swordfish-77-x"}' },
    ...history(),
  ];
  const saved: unknown[] = [];
  const { compact } = setUp({ saveFacts: (facts) => void saved.push(facts) });
  const outcome = await compact.run({ messages });
  expect(outcome.status).toBe('folded');
  expect(JSON.stringify(saved)).toContain('ann-17');
  expect(JSON.stringify([saved, outcome])).not.toMatch(/MIIEp|Qk9P|hunter2|swordfish|seagull/);
});

test('a throwing countTokens or redact fails the run and changes nothing', async () => {
  const fault = new Error('no');
  const throwing = () => {
    throw fault;
  };
  const counting = setUp({ countTokens: throwing });
  expect(await counting.compact.run({ messages: history() })).toMatchObject({ status: 'failed', code: 'count_threw', error: fault });
  expect(counting.events).toEqual([{ type: 'fold_failed', code: 'count_threw', error: fault }]);
  const redacting = setUp({ redact: throwing, fallback: () => 'a summary' });
  expect(await redacting.compact.run({ messages: history() })).toMatchObject({ status: 'failed', code: 'redact_threw', error: fault });
  expect(redacting.events.at(-1)).toMatchObject({ type: 'fold_failed', code: 'redact_threw', error: fault });
  expect(await redacting.run(history())).toBeUndefined();
});

test('credentials reach neither summary nor ledger nor what is saved', async () => {
  const saved: Fact[] = [];
  const { run } = setUp({
    summarize: () => ({ text: 'They gave the password: hunter2.', facts: ['The api_key=9f8e7d6c5b is theirs.'] }),
    extract: () => ['Authorization: Bearer abcdef123456'],
    saveFacts: (facts) => void saved.push(...facts),
  });
  const out = await run([user('My db password is hunter2 and the port is 54321.'), ...filler(14), user('on')]);
  for (const text of [JSON.stringify(readFold(out!)), JSON.stringify(saved)]) {
    expect(text).not.toMatch(/hunter2|9f8e7d6c5b|abcdef123456/);
    expect(text).toContain('54321');
  }
});

test('when extract throws, what the rules find is saved all the same before it leaves', async () => {
  const saved: Fact[] = [];
  const { run, types } = setUp({ extract: () => Promise.reject(new Error('away')), saveFacts: (facts) => void saved.push(...facts) });
  const out = await run([user('My code is QX-99120.'), ...filler(14), user('on')]);
  expect(types()).toEqual(expect.arrayContaining(['flush_skipped', 'folded']));
  expect(saved.map(({ text }) => text)).toContain('My code is QX-99120.');
  expect(readFold(out!)!.ledger.map(({ text }) => text)).toContain('My code is QX-99120.');
});
