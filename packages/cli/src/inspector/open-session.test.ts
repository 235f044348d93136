import { createMemoryStore, type IAgentStore, type ITool, type PendingRequest, pending } from '@x/agentos';
import { createScriptedModel } from '@x/testkit';
import { afterEach, expect, test, vi } from 'vitest';
import type { Endpoint } from '../endpoint.js';
import { personas } from '../personas.js';
import { openReports } from './kept-reports.js';
import type { OpenSession } from './open-session.js';
import { createSessionBook } from './session-book.js';

type Book = ReturnType<typeof createSessionBook>;
const books: Book[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(books.splice(0).map((book) => book.close()));
});

const CALL = { toolCalls: [{ name: 'pay', arguments: { euros: 12 } }] };
const QUESTION: PendingRequest = { id: 'q1', kind: 'approval', prompt: 'Pay 12 euros?', data: { euros: 12 } };
/** A tool that asks, and remembers how often it paid. */
function payment(question: PendingRequest = QUESTION) {
  const paid: unknown[] = [];
  const pay: ITool = {
    name: 'pay',
    description: 'Pays.',
    inputSchema: { type: 'object' },
    execute(_args, { answer }) {
      if (!answer) return pending(question);
      paid.push(answer.value);
      return 'It is paid.';
    },
  };
  return { pay, paid };
}
function bookOf(store: IAgentStore, pay: ITool, replies: Parameters<typeof createScriptedModel>[0]): Book {
  const endpoint: Endpoint = { model: createScriptedModel(replies), offline: true, description: '', close: async () => undefined };
  const book = createSessionBook({ store, endpoint, personas, tools: { support: [pay] } });
  books.push(book);
  return book;
}
async function opened(book: Book, id?: string): Promise<OpenSession> {
  const session = await book.get(id ?? (await book.create('support'))?.id ?? '');
  if (!session) throw new Error('no session');
  return session;
}
const say = (session: OpenSession, text: string) => session.say(text, () => undefined, new AbortController().signal);
const answer = (session: OpenSession, said: object, question = 'q1') => session.answer({ question, ...said }, () => undefined);

test('a turn that waits shows its question: which tool, with what, who asks and since when', async () => {
  const { pay } = payment();
  const session = await opened(bookOf(createMemoryStore(), pay, [CALL]));
  const report = await say(session, 'Pay the bill.');
  expect(report).toMatchObject({ turn: 1, status: 'pending', pending: { id: 'q1' } });
  expect(await session.question()).toEqual({
    ...QUESTION,
    form: { kind: 'yes-no' },
    turn: report.id,
    tool: 'pay',
    args: '{"euros":12}',
    asker: 'Sam',
    sinceMs: report.atMs,
    isAnswered: false,
    hasTool: true,
  });
});

test('an answer goes on with the turn, once; its report is one with that of before the question', async () => {
  const { pay, paid } = payment();
  const book = bookOf(createMemoryStore(), pay, [CALL, 'It is done.', 'Good.']);
  const session = await opened(book);
  const before = await say(session, 'Pay the bill.');
  expect((await book.rows())[0]).toMatchObject({ turns: 1, isWaiting: true });
  const heard: string[] = [];
  const both = await Promise.allSettled([
    session.answer({ question: 'q1', ok: true }, (delta) => heard.push(delta)),
    answer(session, { ok: true }),
  ]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(both[1]).toMatchObject({ reason: { code: 'nothing_parked' } });
  expect([paid, heard.join('')]).toEqual([[true], 'It is done.']);
  expect(await session.question()).toBeUndefined();
  const [report, ...others] = await session.reports();
  expect(others).toEqual([]);
  expect(report).toMatchObject({
    id: before.id,
    turn: 1,
    user: 'Pay the bill.',
    status: 'done',
    reply: 'It is done.',
    tools: [{ name: 'pay', output: 'It is paid.' }],
    answers: [{ id: 'q1', tool: 'pay', prompt: 'Pay 12 euros?', said: 'yes', output: 'It is paid.' }],
    prefix: [{ step: 0 }, { step: 1 }],
  });
  expect(report?.inputTokens).toBeGreaterThan(before.inputTokens);
  expect((await book.rows())[0]).toMatchObject({ turns: 1, isWaiting: false });
  expect((await say(session, 'Thanks.')).turn).toBe(2);
});

test('a question is still open in the next process, and is answered there', async () => {
  const store = createMemoryStore();
  const first = bookOf(store, payment().pay, [CALL]);
  const { id } = await opened(first);
  await say(await opened(first, id), 'Pay the bill.');
  await first.close();
  const { pay, paid } = payment();
  const session = await opened(bookOf(store, pay, ['It is done.']), id);
  expect(await session.question()).toMatchObject({ id: 'q1', tool: 'pay', sinceMs: expect.any(Number) });
  await answer(session, { ok: true });
  expect(paid).toEqual([true]);
  const third = await opened(bookOf(store, pay, []), id);
  expect(await third.reports()).toEqual(await session.reports());
  expect(await third.reports()).toMatchObject([{ turn: 1, status: 'done', reply: 'It is done.', answers: [{ said: 'yes' }] }]);
});

test('an answer that comes after another process gave one is refused, and the page then shows what that one brought', async () => {
  const store = createMemoryStore();
  const { pay, paid } = payment();
  const here = await opened(bookOf(store, pay, [CALL, 'Never said.']));
  await say(here, 'Pay the bill.');
  const there = await opened(bookOf(store, pay, ['It is done.', { toolCalls: [{ name: 'pay', arguments: {} }] }]), here.id);
  await answer(there, { ok: true });
  await expect(answer(here, { ok: true })).rejects.toMatchObject({ code: 'nothing_parked' });
  expect(paid).toEqual([true]);
  expect(await here.reports()).toMatchObject([{ status: 'done', reply: 'It is done.' }]);
  await say(there, 'Once more.');
  await answer(here, { ok: true });
  expect(paid).toEqual([true, true]);
});

test('a process without the tool takes no yes, which the tool would never hear; it can still be declined there', async () => {
  const store = createMemoryStore();
  const { pay } = payment();
  const here = await opened(bookOf(store, pay, [CALL]));
  await say(here, 'Pay the bill.');
  expect(await here.question()).toMatchObject({ hasTool: true });
  const there = await opened(bookOf(store, { ...pay, name: 'other' }, ['Then not.']), here.id);
  expect(await there.question()).toMatchObject({ hasTool: false });
  await expect(answer(there, { ok: true })).rejects.toMatchObject({ code: 'answer_invalid', message: expect.stringContaining('pay') });
  expect(await answer(there, { ok: false })).toMatchObject({ reply: 'Then not.', answers: [{ said: 'declined' }] });
});

test('an answer under the id of an older question is refused, and the open one goes on waiting', async () => {
  const { pay, paid } = payment();
  const session = await opened(bookOf(createMemoryStore(), pay, [CALL]));
  await say(session, 'Pay the bill.');
  await expect(answer(session, { ok: true }, 'q0')).rejects.toMatchObject({ code: 'answer_mismatch' });
  await expect(answer(session, { ok: 'maybe' })).rejects.toMatchObject({ code: 'answer_invalid' });
  expect([paid, await session.question()]).toMatchObject([[], { id: 'q1' }]);
});

test('a message while a question is open is refused with a code, and is no turn', async () => {
  const { pay } = payment();
  const session = await opened(bookOf(createMemoryStore(), pay, [CALL]));
  await say(session, 'Pay the bill.');
  await expect(say(session, 'Well?')).rejects.toMatchObject({ code: 'turn_parked' });
  expect(await session.reports()).toHaveLength(1);
});

test('who declines is obeyed: the tool is not called, and the turn ends with words', async () => {
  const { pay, paid } = payment();
  const session = await opened(bookOf(createMemoryStore(), pay, [CALL, 'Then not.']));
  await say(session, 'Pay the bill.');
  expect(await answer(session, { ok: false })).toMatchObject({
    status: 'done',
    reply: 'Then not.',
    answers: [{ said: 'declined', output: 'declined: Pay 12 euros?' }],
  });
  expect(paid).toEqual([]);
});

test('after an answer whose turn failed the question is open again', async () => {
  const { pay, paid } = payment();
  const session = await opened(bookOf(createMemoryStore(), pay, [CALL, { error: new Error('the line is down') }, 'It is done.']));
  await say(session, 'Pay the bill.');
  await expect(answer(session, { ok: true })).rejects.toThrow();
  expect(await session.question()).toMatchObject({ id: 'q1', isAnswered: false });
  expect(await answer(session, { ok: true })).toMatchObject({ reply: 'It is done.' });
  expect(paid).toEqual([true]);
});

test('while an answer is worked on, the question says so', async () => {
  const { pay } = payment();
  let seen: unknown;
  const session: OpenSession = await opened(
    bookOf(createMemoryStore(), pay, [
      CALL,
      async () => {
        seen = await session.question();
        return 'It is done.';
      },
    ]),
  );
  await say(session, 'Pay the bill.');
  await answer(session, { ok: true });
  expect(seen).toMatchObject({ id: 'q1', isAnswered: true });
});

test('a turn that is stopped is none, and an answer whose turn is stopped can be given again, its tool being called once', async () => {
  const { pay, paid } = payment();
  const begun: (() => void)[] = [];
  const hangs = (_request: unknown, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<string>((_, fail) => {
      signal.addEventListener('abort', () => fail(signal.reason));
      begun.shift()?.();
    });
  const running = () => new Promise<void>((done) => void begun.push(done));
  const session = await opened(bookOf(createMemoryStore(), pay, [hangs, CALL, hangs, 'It is done.']));
  const stop = async (turn: Promise<unknown>, hasBegun: Promise<void>) => {
    turn.catch(() => undefined);
    await hasBegun;
    session.stop();
    await expect(turn).rejects.toMatchObject({ code: 'turn_stopped' });
  };
  const first = running();
  await stop(say(session, 'Hello?'), first);
  expect(await session.reports()).toEqual([]);
  await say(session, 'Pay the bill.');
  const second = running();
  await stop(answer(session, { ok: true }), second);
  expect(await session.question()).toMatchObject({ id: 'q1', isAnswered: false });
  expect(await answer(session, { ok: true })).toMatchObject({ turn: 1, reply: 'It is done.' });
  expect(paid).toEqual([true]);
});

test('a dropped question ends its turn without a word of the model, and the talk goes on', async () => {
  const { pay, paid } = payment();
  const session = await opened(bookOf(createMemoryStore(), pay, [CALL, 'Good.']));
  await say(session, 'Pay the bill.');
  await expect(session.drop('q0')).rejects.toMatchObject({ code: 'answer_mismatch' });
  await session.drop('q1');
  await expect(session.drop('q1')).rejects.toMatchObject({ code: 'nothing_parked' });
  expect(await session.question()).toBeUndefined();
  expect(await say(session, 'Never mind.')).toMatchObject({ turn: 2, reply: 'Good.' });
  expect(await session.reports()).toMatchObject([
    { turn: 1, status: 'incomplete', reply: '', answers: [{ said: 'dropped' }] },
    { turn: 2 },
  ]);
  expect((await session.reports())[0]).not.toHaveProperty('pending');
  expect(paid).toEqual([]);
});

test('a question whose time is over does not stop the talk: the next message closes it', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
  const { pay, paid } = payment({ ...QUESTION, expiresAtMs: 2_000 });
  const session = await opened(bookOf(createMemoryStore(), pay, [CALL, 'Good.', CALL, 'Too late.']));
  await say(session, 'Pay the bill.');
  vi.setSystemTime(3_000);
  expect(await say(session, 'Never mind.')).toMatchObject({ turn: 2, reply: 'Good.' });
  expect(await session.reports()).toMatchObject([{ turn: 1, status: 'incomplete', answers: [{ said: 'expired' }] }, { turn: 2 }]);
  vi.setSystemTime(1_500);
  await say(session, 'Pay it after all.');
  vi.setSystemTime(3_000);
  expect(await answer(session, { ok: true })).toMatchObject({ turn: 3, reply: 'Too late.', answers: [{ said: 'expired' }] });
  expect(paid).toEqual([]);
});

test('a turn that asks twice is one report with both answers', async () => {
  const { pay, paid } = payment();
  const store = createMemoryStore();
  const session = await opened(bookOf(store, pay, [CALL, CALL, 'Both are done.']));
  await say(session, 'Pay both bills.');
  expect(await answer(session, { ok: true })).toMatchObject({ status: 'pending' });
  expect(await session.question()).toMatchObject({ id: 'q1' });
  await answer(session, { ok: true });
  expect(paid).toEqual([true, true]);
  const kept = await (await openReports(store, { id: session.id, persona: 'support' })).all();
  expect(kept).toEqual(await session.reports());
  expect(kept).toMatchObject([{ turn: 1, status: 'done', reply: 'Both are done.', answers: [{ said: 'yes' }, { said: 'yes' }] }]);
});

test('turns are numbered on after a turn that failed, also in the next process', async () => {
  const store = createMemoryStore();
  const { pay } = payment();
  const first = await opened(bookOf(store, pay, ['One.', { error: new Error('the line is down') }, 'Two.']));
  await say(first, 'First?');
  await expect(say(first, 'Second?')).rejects.toThrow();
  await say(first, 'Second?');
  const again = await opened(bookOf(store, pay, ['Three.']), first.id);
  await say(again, 'Third?');
  expect((await again.reports()).map(({ turn }) => turn)).toEqual([1, 2, 3]);
});

test('a question that another process opened is shown and answered here', async () => {
  const store = createMemoryStore();
  const { pay, paid } = payment();
  const here = await opened(bookOf(store, pay, ['Hello.', 'It is done.']));
  await say(here, 'Hello?');
  const there = await opened(bookOf(store, pay, [CALL]), here.id);
  await say(there, 'Pay the bill.');
  expect(await here.question()).toMatchObject({ id: 'q1', sinceMs: expect.any(Number) });
  expect(await answer(here, { ok: true })).toMatchObject({ turn: 2, reply: 'It is done.', prefix: [{ step: 0 }, { step: 1 }] });
  expect(paid).toEqual([true]);
});
