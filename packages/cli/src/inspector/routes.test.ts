import { createMemoryStore, type IAgentStore, type ITool, pending } from '@x/agentos';
import { createScriptedModel } from '@x/testkit';
import { afterEach, expect, test } from 'vitest';
import { personas } from '../personas.js';
import { type Inspector, openInspector } from './open-inspector.js';

const open: Inspector[] = [];
afterEach(() => Promise.all(open.splice(0).map((inspector) => inspector.close())));

const CALL = { toolCalls: [{ name: 'pay', arguments: { euros: 12 } }] };
const pay: ITool = {
  name: 'pay',
  description: 'Pays.',
  inputSchema: { type: 'object' },
  execute: (_args, { answer }) => (answer ? 'It is paid.' : pending({ id: 'q1', kind: 'approval', prompt: 'Pay 12 euros?' })),
};

/** The fields of answers that are looked at here. */
interface Answered {
  readonly id: string;
  readonly code: string;
  readonly question: unknown;
  readonly reports: readonly { readonly id: string }[];
}

/** An inspector on loopback, and a way to ask it as its page does. */
async function served(replies: Parameters<typeof createScriptedModel>[0] = [], store: IAgentStore = createMemoryStore()) {
  const endpoint = { model: createScriptedModel(replies), offline: true, description: '', close: async () => undefined };
  const inspector = await openInspector({ store, endpoint, personas, tools: { support: [pay] } });
  open.push(inspector);
  const url = new URL(inspector.url);
  const cookie = `inspector=${url.searchParams.get('token')}`;
  const ask = (path: string, body?: unknown, headers: { readonly [name: string]: string } = {}) =>
    fetch(new URL(`/api${path}`, url), {
      headers: { cookie, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const json = async (path: string, body?: unknown) => (await (await ask(path, body)).json()) as Answered;
  /** What a stream said: its words, then its last event. */
  const stream = async (path: string, body: unknown) => {
    const blocks = (await (await ask(path, body)).text()).split('\n\n').filter((block) => block.startsWith('data:'));
    const events = blocks.map((block) => JSON.parse(block.slice(5)));
    return { text: events.flatMap(({ type, text }) => (type === 'delta' ? [text] : [])).join(''), last: events.at(-1) };
  };
  return { inspector, ask, json, stream };
}

test('a question is shown with the session, answered by the page, and answered once', async () => {
  const { json, stream } = await served([CALL, 'It is done.']);
  const { id } = await json('/sessions', { persona: 'support' });
  expect((await stream(`/session/${id}/turn`, { text: 'Pay the bill.' })).last).toMatchObject({ report: { status: 'pending' } });
  expect(await json(`/session/${id}`)).toMatchObject({
    question: { id: 'q1', tool: 'pay', args: '{"euros":12}', form: { kind: 'yes-no' } },
  });
  const [first, second] = await Promise.all([
    stream(`/session/${id}/answer`, { question: 'q1', ok: true }),
    stream(`/session/${id}/answer`, { question: 'q1', ok: true }),
  ]);
  expect(first).toMatchObject({ text: 'It is done.', last: { type: 'report', report: { status: 'done', answers: [{ said: 'yes' }] } } });
  expect(second.last).toMatchObject({ type: 'error', code: 'nothing_parked' });
  const view = await json(`/session/${id}`);
  expect([view.question, view.reports.length]).toEqual([undefined, 1]);
  expect(JSON.stringify(await json(`/session/${id}/turn/${view.reports[0]?.id}`))).toContain('It is paid.');
});

test('a question outlives its process', async () => {
  const store = createMemoryStore();
  const first = await served([CALL], store);
  const { id } = await first.json('/sessions', { persona: 'support' });
  await first.stream(`/session/${id}/turn`, { text: 'Pay the bill.' });
  await open.pop()?.close();
  const { json, stream } = await served(['It is done.'], store);
  expect(await json('/sessions')).toMatchObject({ sessions: [{ id, isWaiting: true }] });
  expect(await json(`/session/${id}`)).toMatchObject({ question: { id: 'q1' } });
  expect(await stream(`/session/${id}/answer`, { question: 'q1', ok: true })).toMatchObject({ text: 'It is done.' });
});

test('an answer goes through the same door as a message', async () => {
  const { ask, json, stream } = await served([CALL]);
  const { id } = await json('/sessions', { persona: 'support' });
  await stream(`/session/${id}/turn`, { text: 'Pay the bill.' });
  const answer = { question: 'q1', ok: true };
  for (const headers of [{ cookie: 'inspector=guessed' }, { origin: 'http://evil.example' }])
    for (const path of ['answer', 'drop', 'stop']) expect((await ask(`/session/${id}/${path}`, answer, headers)).status).toBe(403);
  expect((await json(`/session/${id}`)).question).toMatchObject({ id: 'q1' });
});

test.each([
  [{ question: 'q1', ok: 'yes' }, 'answer_invalid'],
  [{ question: 'q1' }, 'answer_invalid'],
  [{ question: 'q0', ok: true }, 'answer_mismatch'],
  [{ ok: true }, 'answer_mismatch'],
])('%j is no answer to the open question: %s', async (answer, code) => {
  const { json, stream } = await served([CALL]);
  const { id } = await json('/sessions', { persona: 'support' });
  await stream(`/session/${id}/turn`, { text: 'Pay the bill.' });
  expect((await stream(`/session/${id}/answer`, answer)).last).toMatchObject({ type: 'error', code });
  expect((await json(`/session/${id}`)).question).toMatchObject({ id: 'q1' });
});

test('a question is dropped, and dropping it again is refused', async () => {
  const { ask, json, stream } = await served([CALL]);
  const { id } = await json('/sessions', { persona: 'support' });
  await stream(`/session/${id}/turn`, { text: 'Pay the bill.' });
  expect(await json(`/session/${id}/drop`, { question: 'q1' })).toMatchObject({ reports: [{ answers: [{ said: 'dropped' }] }] });
  const again = await ask(`/session/${id}/drop`, { question: 'q1' });
  expect([again.status, await again.json()]).toMatchObject([400, { code: 'nothing_parked' }]);
});

test.each(['/sessions', '/session/ID/turn', '/session/ID/answer', '/session/ID/drop', '/session/ID/undo', '/session/ID/memory/undo'])(
  '%s refuses a body that is too long or no object with a code',
  async (path) => {
    const { ask, json } = await served();
    const { id } = await json('/sessions', { persona: 'support' });
    for (const [body, status, code] of [
      ['null', 400, 'body_invalid'],
      ['[]', 400, 'body_invalid'],
      ['{', 400, 'body_invalid'],
      [JSON.stringify({ text: 'x'.repeat(300_000) }), 413, 'body_too_long'],
    ] as const) {
      const answer = await ask(path.replace('ID', id), body);
      expect([answer.status, ((await answer.json()) as Answered).code]).toEqual([status, code]);
    }
  },
);
