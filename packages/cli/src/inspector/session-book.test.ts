import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore, type IAgentStore } from '@x/agentos';
import { createScriptedModel } from '@x/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPersona } from '../create-persona.js';
import type { Endpoint } from '../endpoint.js';
import { personas } from '../personas.js';
import type { OpenSession } from './open-session.js';
import { createSessionBook, type SessionBookOptions } from './session-book.js';

let parent = '';
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'x-book-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const endpointOf = (model: Endpoint['model']): Endpoint => ({ model, offline: true, description: '', close: async () => undefined });
function bookOf(options: Partial<SessionBookOptions> = {}) {
  const endpoint = endpointOf(createScriptedModel(['Hello.'], { atEnd: 'repeat' }));
  return createSessionBook({ store: createMemoryStore(), endpoint, personas, ...options });
}
async function opened(book: ReturnType<typeof createSessionBook>, persona: string): Promise<OpenSession> {
  const session = await book.get((await book.create(persona))?.id ?? '');
  if (!session) throw new Error('no session');
  return session;
}
const say = (session: OpenSession, text: string) => session.say(text, () => undefined, new AbortController().signal);

test.each(['constructor', 'toString', '__proto__', 'nobody', 'folder'])('there is no persona %s to start', async (id) => {
  const book = bookOf();
  expect(await book.create(id)).toBeUndefined();
  expect(await book.rows()).toEqual([]);
});

test('sessions that are made and that end at the same time all stay in the list, newest first', async () => {
  const book = bookOf();
  const rows = await Promise.all(Array.from({ length: 5 }, () => book.create('tutor')));
  const sessions = await Promise.all(rows.map((row) => book.get(row?.id ?? '')));
  await Promise.all(sessions.map((session, index) => session && say(session, `Question ${index}`)));
  const listed = await book.rows();
  expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(rows.map((row) => row?.id)));
  expect(listed.map(({ turns }) => turns)).toEqual([1, 1, 1, 1, 1]);
  expect(listed.map(({ title }) => title).sort()).toEqual([0, 1, 2, 3, 4].map((index) => `Question ${index}`));
  const times = listed.map(({ updatedMs }) => updatedMs);
  expect(times).toEqual([...times].sort((a, b) => b - a));
  await book.close();
});

test('two messages to one session at once are both reported, numbered in their order', async () => {
  const store = createMemoryStore();
  const book = bookOf({ store });
  const session = await opened(book, 'tutor');
  await Promise.all([say(session, 'One?'), say(session, 'Two?')]);
  expect((await session.reports()).map(({ turn, user }) => [turn, user])).toEqual([
    [1, 'One?'],
    [2, 'Two?'],
  ]);
  await book.close();
  const again = await bookOf({ store }).get(session.id);
  expect(await again?.reports()).toHaveLength(2);
});

test('a session that could not be opened is tried anew the next time, and does not keep the book from closing', async () => {
  const inner = createMemoryStore();
  let broken = true;
  const store: IAgentStore = {
    open: (scope, options) =>
      broken && 'user' in scope && scope.user === 'tutor' ? Promise.reject(new Error('the disk is away')) : inner.open(scope, options),
  };
  const book = bookOf({ store });
  const row = await book.create('tutor');
  await expect(book.get(row?.id ?? '')).rejects.toThrow('the disk is away');
  await expect(book.close()).resolves.toBeUndefined();
  broken = false;
  expect((await book.get(row?.id ?? ''))?.id).toBe(row?.id);
  await book.close();
});

test('two sessions of one folder are one lane: the second turn starts when the first has ended', async () => {
  const steps: string[] = [];
  const model = createScriptedModel(
    async (request) => {
      const text = String(request.messages.at(-1)?.content);
      const name = text.includes('First') ? 'first' : 'second';
      steps.push(`${name} starts`);
      for (let lap = 0; lap < 20; lap += 1) await new Promise((done) => setImmediate(done));
      steps.push(`${name} ends`);
      return 'Yes.';
    },
    { record: false },
  );
  const dir = createPersona(join(parent, 'ava'));
  const book = bookOf({ dir, endpoint: endpointOf(model) });
  const [one, two] = [await opened(book, 'folder'), await opened(book, 'folder')];
  await Promise.all([say(one, 'First?'), say(two, 'Second?')]);
  expect(steps).toEqual(['first starts', 'first ends', 'second starts', 'second ends']);
  await book.close();
});

test('a session of a folder is opened with that folder, whichever folder the inspector was started with', async () => {
  const store = createMemoryStore();
  const [ava, bob] = [createPersona(join(parent, 'ava')), createPersona(join(parent, 'bob'))];
  const first = bookOf({ store, dir: ava });
  const session = await opened(first, 'folder');
  await say(session, 'Remember me?');
  await first.close();
  const second = bookOf({ store, dir: bob });
  const again = await second.get(session.id);
  expect([again?.gmi.persona.name, again?.dir]).toEqual(['Ava', ava]);
  expect(await (await again?.gmi.session())?.history()).not.toEqual([]);
  await second.close();
});

test('a session whose persona is gone is refused with a code', async () => {
  const store = createMemoryStore();
  const first = bookOf({ store });
  const row = await first.create('tutor');
  await expect(bookOf({ store, personas: {} }).get(row?.id ?? '')).rejects.toMatchObject({ code: 'persona_unknown' });
});
