import { createMemoryStore, type IAgentStore, type ITool, pending } from '@x/core';
import { createScriptedModel, createVirtualClock, type Script } from '@x/testkit';
import { expect, test } from 'vitest';
import { openLane } from './open-lane.js';

const ask = { toolCalls: [{ name: 'pay', arguments: { amount: 5 } }] };
const down = { error: new Error('down') };
const yes = { id: 'q1', ok: true };
const UNKNOWN = 'The answer was given, but the run that used it was cut off. Whether the tool took effect is unknown.';

function payTool(run: NonNullable<ITool['execute']>, more: Partial<ITool> = {}) {
  const ran: unknown[] = [];
  const pay: ITool = {
    name: 'pay',
    description: '',
    inputSchema: {},
    execute(args, context) {
      if (!context.answer) return pending({ id: 'q1', kind: 'confirm', prompt: 'Pay?' });
      ran.push(context.answer.id);
      return run(args, context);
    },
    ...more,
  };
  return { pay, ran };
}

async function open(script: Script, tool: ITool, store: IAgentStore = createMemoryStore()) {
  const clock = createVirtualClock(1_000_000);
  const lane = await openLane({ store, scope: { persona: 'p', user: 'u', session: 's' }, clock });
  const model = createScriptedModel(script);
  return { store, lane, clock, model, session: lane.session({ model, tools: [tool] }) };
}

test('a tool that ran before the model failed does not run again: its result is kept with what it applied', async () => {
  const { pay, ran } = payTool((_args, { turn }) => {
    turn?.apply({ imprint: 'paid', value: true }, 'paid');
    return 'receipt 7';
  });
  const { session, store, model } = await open([ask, down, down, 'paid'], pay);
  await session.ask('buy');
  await expect(session.resume(yes)).rejects.toMatchObject({ code: 'model_failed' });
  expect(await session.parked()).toMatchObject({ id: 'q1' });
  await expect(session.resume(yes)).rejects.toMatchObject({ code: 'model_failed' });
  expect((await session.resume(yes)).text).toBe('paid');
  expect(ran).toEqual(['q1']);
  expect(model.requests.at(-1)!.messages.at(-1)).toMatchObject({ role: 'tool', content: 'receipt 7' });
  expect((await session.state()).imprints).toMatchObject({ paid: true });
  expect(Object.keys((await session.state()).values)).not.toContain('gmi_answered_main');
  const again = await open([], pay, store);
  await expect(again.session.resume(yes)).rejects.toMatchObject({ code: 'nothing_parked' });
});

test('another process knows too that the tool ran', async () => {
  const { pay, ran } = payTool(() => ({ output: 'card refused', isError: true }));
  const first = await open([ask, down], pay);
  await first.session.ask('buy');
  await first.session.resume(yes).catch(() => {});
  const second = await open(['sorry'], pay, first.store);
  const result = await second.session.resume(yes);
  expect([result.text, result.toolCalls[0], ran.length]).toEqual([
    'sorry',
    expect.objectContaining({ output: 'card refused', isError: true }),
    1,
  ]);
});

test('a tool that was stopped while it ran is not run again unless it says that this does no harm', async () => {
  for (const repeat of ['once', 'idempotent'] as const) {
    let hang = true;
    const { pay, ran } = payTool(() => (hang ? new Promise(() => {}) : 'receipt 7'), { repeat });
    const { session } = await open([ask, 'over'], pay);
    await session.ask('buy');
    const stop = new AbortController();
    const running = session.resume(yes, {
      signal: stop.signal,
      onEvent: ({ type }) => type === 'tool-call-start' && setImmediate(() => stop.abort()),
    });
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    hang = false;
    const { toolCalls } = await session.resume(yes);
    expect([toolCalls[0]!.output, ran.length]).toEqual(repeat === 'once' ? [UNKNOWN, 1] : ['receipt 7', 2]);
  }
});

test('a tool that a guard held back was not run, and may run with the next answer', async () => {
  const { pay, ran } = payTool(() => 'receipt 7');
  let broken = true;
  const store = createMemoryStore();
  const lane = await openLane({ store, scope: { persona: 'p', user: 'u', session: 's' } });
  const hooks = {
    beforeTool: ({ id }: { id?: string | undefined }) => {
      if (id && broken && ran.length === 0 && asked) throw new Error('broken');
    },
  };
  let asked = false;
  const session = lane.session({ model: createScriptedModel([ask, 'paid']), tools: [pay], hooks });
  await session.ask('buy');
  asked = true;
  await expect(session.resume(yes)).rejects.toMatchObject({ code: 'hook_failed' });
  broken = false;
  expect([(await session.resume(yes)).toolCalls[0]!.output, ran.length]).toEqual(['receipt 7', 1]);
});

test('an answered turn commits under the id of turn and answer, also when the same question comes twice in a turn', async () => {
  const { pay } = payTool(() => 'receipt');
  const inner = createMemoryStore();
  const turns: string[] = [];
  const store: IAgentStore = {
    async open(...args) {
      const lane = await inner.open(...args);
      return {
        ...lane,
        commit(change) {
          if (change.conversation) turns.push(change.turn);
          return lane.commit(change);
        },
      };
    },
  };
  const { session } = await open([ask, ask, 'done'], pay, store);
  const { id } = await session.ask('buy twice');
  expect((await session.resume(yes)).status).toBe('pending');
  expect((await session.resume(yes)).text).toBe('done');
  expect([turns[0], turns[1]]).toEqual([id, `${id}:q1`]);
  expect(turns.every((turn, index) => index === 0 || turn.endsWith(':q1'))).toBe(true);
});

test('a run that died over an answer holds it no longer because its clock ran ahead', async () => {
  const { pay } = payTool(() => new Promise(() => {}));
  const dead = await open([ask], pay);
  await dead.clock.advance(365 * 86_400_000);
  await dead.session.ask('buy');
  void dead.session.resume(yes).catch(() => {});
  await new Promise((resolve) => setImmediate(resolve));
  const living = await open(['sorry'], pay, dead.store);
  const result = await living.session.resume(yes);
  expect([result.text, result.toolCalls[0]?.output]).toEqual(['sorry', UNKNOWN]);
});
