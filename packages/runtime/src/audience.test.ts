import { createMemoryStore, type IAgentStore, type ITool, pending, type TurnHook } from '@x/core';
import { createScriptedModel, type Script } from '@x/testkit';
import { expect, test } from 'vitest';
import { openLane } from './open-lane.js';
import type { TurnEvent } from './session-types.js';

const NOTES: { readonly [id: string]: string } = { bob: 'NOTES-ON-BOB', carol: 'NOTES-ON-CAROL' };
const bob = { id: 'bob', owner: false };
const carol = { id: 'carol', owner: false };
const owner = { id: 'ada', owner: true };

/** As a persona directory does it: `USER.md` for the owner, what is noted of a stranger for that stranger. */
const soulHook = (soul = 'SOUL'): TurnHook => ({
  name: 'soul',
  compose({ input: { sender } }) {
    if (sender === undefined || sender.owner) return { stable: { soul: `${soul} USER-OF-ADA` } };
    return { stable: { soul }, volatile: { sender: NOTES[sender.id] ?? '' } };
  },
});

async function open(script: Script, { store = createMemoryStore() as IAgentStore, soul = 'SOUL', tools = [] as ITool[] } = {}) {
  const model = createScriptedModel(script, { atEnd: 'repeat' });
  const lane = await openLane({ store, scope: { directory: '/personas/ava' } });
  const session = lane.session({ model, features: [soulHook(soul)], tools });
  const breaks: unknown[] = [];
  const onEvent = (event: TurnEvent): void => void (event.type === 'step-start' && breaks.push(event.break));
  return {
    store,
    model,
    session,
    breaks,
    onEvent,
    ask: (content: string, sender?: typeof bob) => session.ask({ content, sender }, onEvent),
    sent: () => model.requests.map((request) => JSON.stringify(request.messages)),
  };
}
const held = (text: string): readonly string[] =>
  ['USER-OF-ADA', 'NOTES-ON-BOB', 'NOTES-ON-CAROL'].filter((secret) => text.includes(secret));

test('owner, Bob, Carol, Carol, owner: each request holds what is for its sender and nothing that is for another', async () => {
  const { ask, sent, breaks } = await open(['ok']);
  await ask('1', owner);
  await ask('2', bob);
  await ask('3', carol);
  await ask('4', carol);
  await ask('5');
  await ask('6');
  expect(sent().map(held)).toEqual([
    ['USER-OF-ADA'],
    ['NOTES-ON-BOB'],
    ['NOTES-ON-CAROL'],
    ['NOTES-ON-CAROL'],
    ['USER-OF-ADA'],
    ['USER-OF-ADA'],
  ]);
  expect(breaks).toEqual(['first', 'audience', 'audience', 'audience', 'audience', undefined]);
});

test('a stranger first, then the owner: the owner gets what is his', async () => {
  const { ask, sent } = await open(['ok']);
  await ask('1', bob);
  await ask('2', owner);
  expect(sent().map(held)).toEqual([['NOTES-ON-BOB'], ['USER-OF-ADA']]);
});

test('strangers whose prefix is the owner’s break nothing', async () => {
  const model = createScriptedModel(['ok'], { atEnd: 'repeat' });
  const lane = await openLane({ store: createMemoryStore(), scope: { persona: 'p', user: 'u', session: 's' } });
  const session = lane.session({ model, stable: { system: 'S' } });
  const breaks: unknown[] = [];
  for (const sender of [owner, bob, carol, undefined]) {
    await session.ask({ content: 'hi', sender }, (event) => event.type === 'step-start' && breaks.push(event.break));
  }
  expect(breaks).toEqual(['first', undefined, undefined, undefined]);
});

test('the stored hash is that of the owner’s prefix: a process that opens anew judges each audience by itself', async () => {
  const first = await open(['ok']);
  await first.ask('1', owner);
  const hash = (await (await first.store.open({ directory: '/personas/ava' })).load('main')).stableHash;
  await first.ask('2', bob);
  expect((await (await first.store.open({ directory: '/personas/ava' })).load('main')).stableHash).toBe(hash);
  const same = await open(['ok'], { store: first.store });
  await same.ask('3', owner);
  await same.ask('4', bob);
  await same.ask('5', owner);
  expect(same.breaks).toEqual(['audience', 'audience', 'audience']); // the first: Bob's notes left
  const other = await open(['ok'], { store: first.store, soul: 'SOUL 2' });
  await other.ask('6', bob);
  await other.ask('7', owner);
  expect(other.breaks).toEqual(['first', 'reload']);
});

test('after a reload only the audience whose prefix changed breaks by that name', async () => {
  const { session, ask, breaks } = await open(['ok']);
  await ask('1', owner);
  await ask('2', bob);
  session.reload();
  await ask('3', bob);
  await ask('4', owner);
  expect(breaks).toEqual(['first', 'audience', 'audience', 'audience']);
});

test('a stranger’s turn that waited goes on with its notes, and they leave after it', async () => {
  const pay: ITool = {
    name: 'pay',
    description: '',
    inputSchema: {},
    execute: (_args, { answer }) => (answer ? 'paid' : pending({ id: 'q1', kind: 'confirm', prompt: 'Pay?' })),
  };
  const script: Script = [{ toolCalls: [{ name: 'pay', arguments: {} }] }, 'done'];
  const { store, ask, sent, breaks } = await open(script, { tools: [pay] });
  expect((await ask('buy', bob)).status).toBe('pending');
  const again = await open(['done'], { store, tools: [pay] });
  await again.session.resume({ id: 'q1', ok: true }, { onEvent: again.onEvent });
  await again.ask('hello', owner);
  expect([...sent(), ...again.sent()].map(held)).toEqual([['NOTES-ON-BOB'], ['NOTES-ON-BOB'], ['USER-OF-ADA']]);
  expect([...breaks, ...again.breaks]).toEqual(['first', 'first', 'audience']);
});
