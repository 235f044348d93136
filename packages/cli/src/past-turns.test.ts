import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStore } from '@x/store/sqlite';
import { createScriptedModel } from '@x/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPersona } from './create-persona.js';
import { createSessionBook } from './inspector/session-book.js';
import { replayTurn, whyLine } from './past-turns.js';
import { personas } from './personas.js';

const parent = mkdtempSync(join(tmpdir(), 'x-past-'));
const db = join(parent, 'sessions.sqlite');
const dir = createPersona(join(parent, 'ava'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const model = createScriptedModel(['A loop repeats.'], { atEnd: 'repeat' });
const hasDriver = await sqliteStore({ path: join(parent, 'probe.sqlite') })
  .open({ persona: 'p', user: 'u', session: 's' })
  .then((lane) => lane.load('main'))
  .then(
    () => true,
    () => false,
  );

/** What a command says. */
async function told(
  command: typeof replayTurn,
  rest: readonly string[],
  options: { session?: string; persona?: string; db?: string } = {},
) {
  const said: string[] = [];
  await command({ command: 'replay', rest, json: false, db, ...options }, (text) => said.push(text));
  return said.join('\n');
}

describe.skipIf(!hasDriver)(`a file of past sessions${hasDriver ? '' : ': left out, no driver can be loaded here'}`, () => {
  const made: { persona: string; session: string; turn: string }[] = [];
  beforeAll(async () => {
    const store = sqliteStore({ path: db });
    const endpoint = { model, offline: true, description: '', close: async () => undefined };
    const book = createSessionBook({ store, endpoint, personas, dir });
    for (const persona of ['tutor', 'support', 'folder']) {
      const session = await book.get((await book.create(persona))?.id ?? '');
      if (!session) throw new Error('no session');
      const { id } = await session.say(`What is a ${persona}?`, () => undefined, new AbortController().signal);
      made.push({ persona, session: session.id, turn: id });
    }
    await book.close();
    await store.close();
  });

  test('a turn of any session is replayed by its id, the persona being known from the file', async () => {
    expect(made).toHaveLength(3);
    for (const { persona, session, turn } of made) {
      const text = await told(replayTurn, [turn], { session });
      expect(text).toContain(`What is a ${persona}?`);
      expect(text).toContain('A loop repeats.');
    }
  });

  test('a turn is found by its number too, and a number that there is not is refused', async () => {
    const { session = '' } = made[2] ?? {};
    expect(await told(replayTurn, ['1'], { session })).toContain('What is a folder?');
    await expect(told(replayTurn, ['2'], { session })).rejects.toMatchObject({ code: 'usage_wrong' });
  });

  test('why names the element of a folder that put a line there', async () => {
    const { session = '' } = made[2] ?? {};
    const lines = (await told(replayTurn, ['1'], { session })).split('\n').filter((line) => /^ +\d+ /.test(line));
    const number = lines.findIndex((line) => line.includes('One concept at a time')) + 1;
    expect(number).toBeGreaterThan(0);
    expect(await told(whyLine, ['1', String(number)], { session })).toContain('element beginner-pace');
  });

  test('a folder may be named in place of a session', async () => {
    const { turn = '' } = made[2] ?? {};
    expect(await told(replayTurn, [turn], { persona: dir })).toContain('What is a folder?');
  });

  test.each([
    ['a session that is not in the file', { session: 's-none' }],
    ['a persona that is none', { persona: 'constructor', session: 's-none' }],
    ['a built-in persona without a session', { persona: 'tutor' }],
    ['neither', {}],
    ['a file that is not there', { session: 's-none', db: join(parent, 'nowhere.sqlite') }],
  ])('%s is wrong usage', async (_title, options) => {
    await expect(told(replayTurn, ['turn-1'], options)).rejects.toMatchObject({ code: 'usage_wrong' });
  });
});
