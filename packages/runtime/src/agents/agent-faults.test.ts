import { createMemoryStore, type IAgentStore, type ITool, pending } from '@x/core';
import { createScriptedModel, createVirtualClock, type Script } from '@x/testkit';
import { expect, test } from 'vitest';
import { agent } from './agent.js';
import type { AgentSpec, RuntimeOptions } from './agent-types.js';

function setUp(script: Script, spec: Partial<AgentSpec> = {}, options: Partial<RuntimeOptions> = {}) {
  const clock = createVirtualClock(1000);
  const model = createScriptedModel(script, { atEnd: 'repeat' });
  const runtime = agent('ava', { does: 'helps', ...spec }).createRuntime({ model, clock, ...options });
  return { clock, model, runtime, handle: runtime.spawn(runtime.root, 'ava') };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a store that fails once fails one turn: the next opens the lane again, for every handle of it', async () => {
  let failures = 1;
  const inner = createMemoryStore();
  const store: IAgentStore = {
    async open(...args) {
      if (failures-- > 0) throw new Error('disk away');
      return inner.open(...args);
    },
  };
  const scope = { persona: 'p', user: 'u', session: 's' };
  const { runtime, handle } = setUp(['hello'], { scope }, { store });
  const other = runtime.spawn(runtime.root, 'ava');
  runtime.wake(handle, 'one');
  expect(await runtime.wait(handle)).toMatchObject({ status: 'error', text: 'disk away' });
  for (const one of [handle, other]) {
    runtime.wake(one, 'again');
    expect(await runtime.wait(one)).toMatchObject({ status: 'done', text: 'hello' });
  }
  await runtime.close(runtime.root);
});

test('a post or a prompt that is no text is refused, and the handle goes on', async () => {
  const { runtime, handle, model } = setUp(['hello']);
  const junk = [
    undefined,
    null,
    {},
    { from: 'x' },
    { from: 'x', channel: 'c' },
    { from: 'x', channel: 'c', text: { a: 1 } },
    { channel: 'c', text: 't' },
  ];
  for (const post of junk as never[])
    expect(runtime.post(handle, post)).toEqual({ ok: false, error: 'a post needs from, channel and text' });
  for (const prompt of [null, 5, { a: 1 }] as never[]) {
    expect(runtime.wake(handle, prompt)).toEqual({ ok: false, error: 'the prompt of a turn must be text' });
  }
  runtime.wake(handle, 'go');
  expect(await runtime.wait(handle)).toMatchObject({ status: 'done', text: 'hello' });
  expect(model.requests).toHaveLength(1);
  await runtime.close(runtime.root);
});

test('a budget that is no number is refused: it would hold nobody', async () => {
  for (const budget of [{ maxTurns: Number.NaN }, { maxTokens: -5 }, { maxWallMs: '5' as never }, { maxChildren: null as never }]) {
    expect(() => agent('ava', { does: '', budget })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    const { runtime } = setUp(['x']);
    expect(runtime.spawn(runtime.root, 'ava', budget).error).toMatch(/^budget: max\w+ must be a number from 0/);
    await runtime.close(runtime.root);
  }
  const { runtime } = setUp(['x']);
  expect(runtime.spawn(runtime.root, 'ava', { maxTokens: Number.POSITIVE_INFINITY, maxTurns: undefined }).error).toBeUndefined();
  await runtime.close(runtime.root);
});

test('a check that never settles ends with an interrupt, and with close', async () => {
  for (const stop of ['interrupt', 'close'] as const) {
    const completion = { verify: () => new Promise<boolean>(() => {}), maxAttempts: 2 };
    const { runtime, handle } = setUp(['x'], { completion });
    runtime.wake(handle, 'go');
    await settle();
    if (stop === 'interrupt') runtime.interrupt(handle);
    else await runtime.close(handle, { force: true });
    expect(await runtime.wait(handle)).toMatchObject({ status: stop === 'interrupt' ? 'interrupted' : 'closed' });
  }
});

test('a turn that no model got to gives back what it took from the inbox', async () => {
  const { clock, runtime, handle } = setUp(['hello'], {
    onSpawn: () => new Promise<void>(() => undefined),
    budget: { maxWallMs: 1_000 },
  });
  runtime.post(handle, { from: 'ada', channel: 'chat', text: 'read me' });
  runtime.wake(handle, 'go');
  await clock.advance(1_001);
  expect(await runtime.wait(handle)).toMatchObject({ status: 'incomplete', limit: 'maxWallMs' });
  expect(handle.inbox.map(({ text }) => text)).toEqual(['read me']);
});

test('what a turn has read stays read when its check fails', async () => {
  const verify = () => Promise.reject(new Error('no judge'));
  const { runtime, handle } = setUp(['hello'], { completion: { verify, maxAttempts: 2 } });
  runtime.post(handle, { from: 'ada', channel: 'chat', text: 'read me' });
  runtime.wake(handle, 'go');
  expect(await runtime.wait(handle)).toMatchObject({ status: 'error', text: 'no judge' });
  expect(handle.inbox).toEqual([]);
});

test('a fault after the wall time is told as itself, and the inbox comes back', async () => {
  let fail = (_error: Error): void => undefined;
  const inner = createMemoryStore();
  const store: IAgentStore = {
    async open(...args) {
      const opened = await inner.open(...args);
      return { ...opened, commit: () => new Promise((_resolve, reject) => (fail = reject)) };
    },
  };
  const { clock, runtime, handle } = setUp(['hello'], { budget: { maxWallMs: 1_000 } }, { store });
  runtime.post(handle, { from: 'ada', channel: 'chat', text: 'read me' });
  runtime.wake(handle, 'go');
  await settle();
  await clock.advance(1_001);
  fail(new Error('disk away'));
  expect(await runtime.wait(handle)).toMatchObject({ status: 'error', text: expect.stringContaining('disk away') });
  expect(handle.inbox.map(({ text }) => text)).toEqual(['read me']);
});

test('a check that says nothing has not accepted', async () => {
  const { runtime, handle } = setUp(['x'], { completion: { verify: () => undefined as never, maxAttempts: 2 } });
  runtime.wake(handle, 'go');
  expect(await runtime.wait(handle)).toMatchObject({ status: 'incomplete', limit: 'completion', text: 'x', turns: 2 });
});

test('an onClose that never settles is left behind after shutdownMs', async () => {
  const { runtime, handle, clock } = setUp(['x'], { onClose: () => new Promise<void>(() => {}) }, { shutdownMs: 50 });
  const closed = runtime.close(handle);
  await settle();
  await clock.advance(50);
  await closed;
  expect([handle.state, runtime.trace.some((line) => line.includes('onClose'))]).toEqual(['closed', true]);
});

test('the signal of a wake takes back its own turn and no other', async () => {
  const { runtime, handle } = setUp([{ text: 'slow', hang: true }, 'next']);
  const [first, second] = [new AbortController(), new AbortController()];
  runtime.wake(handle, 'user', { signal: first.signal });
  const running = runtime.wait(handle);
  runtime.post(handle, { from: 'bob', channel: 'c', text: 'for the beat' });
  runtime.wake(handle, 'beat', { origin: 'heartbeat', signal: second.signal });
  const waiting = runtime.wait(handle);
  await settle();
  second.abort();
  expect(await waiting).toMatchObject({ status: 'interrupted' });
  expect([handle.state, handle.inbox.length]).toEqual(['running', 1]);
  first.abort();
  expect(await running).toMatchObject({ status: 'interrupted' });
  runtime.wake(handle, 'more', { signal: new AbortController().signal });
  expect(await runtime.wait(handle)).toMatchObject({ status: 'done', text: 'next' });
  expect(runtime.wake(handle, 'late', { signal: first.signal })).toEqual({ ok: false, error: `aborted before it began: ${handle.id}` });
});

test('a wake that is taken back in line leaves the line', async () => {
  const child = agent('child', { does: '' });
  const boss = agent('boss', { does: '', team: [child], budget: { maxConcurrent: 1 } });
  const runtime = boss.createRuntime({ model: createScriptedModel([{ text: 'x', hang: true }, 'ok'], { atEnd: 'repeat' }) });
  const parent = runtime.spawn(runtime.root, 'boss');
  const [a, b, c] = [1, 2, 3].map(() => runtime.spawn(parent, 'child'));
  runtime.wake(a!, 'a');
  const stop = new AbortController();
  runtime.wake(b!, 'b', { signal: stop.signal });
  runtime.wake(c!, 'c');
  stop.abort();
  await settle();
  runtime.interrupt(a!);
  expect(await runtime.wait(c!)).toMatchObject({ status: 'done' });
});

const asking: ITool = {
  name: 'send',
  description: '',
  inputSchema: {},
  execute: (_args, { answer }) => (answer ? 'sent' : pending({ id: 'q1', kind: 'approval', prompt: 'Send?' })),
};

test('an agent as a tool stops with the call that brought its answer, and can be answered again', async () => {
  const stop = new AbortController();
  const model = createScriptedModel(
    (_request, { index }) => {
      if (index === 0) return { toolCalls: [{ name: 'send' }] };
      if (index === 1) stop.abort();
      return { text: 'on and on', hang: index === 1 };
    },
    { atEnd: 'repeat' },
  );
  const tool = agent('ava', { does: '', tools: [asking] }).asTool({ model });
  expect(await tool.execute({ prompt: 'go' }, { callId: 'c' })).toMatchObject({ metadata: { pending: { id: 'q1' } } });
  const answer = { id: 'q1', ok: true };
  expect(await tool.execute({ prompt: 'go' }, { callId: 'c', answer, signal: stop.signal })).toMatchObject({ isError: true });
  expect(model.requests).toHaveLength(2);
  expect(await tool.execute({ prompt: 'go' }, { callId: 'c', answer })).toMatchObject({ output: 'on and on' });
});

test('an agent as a tool whose answer is refused closes its runtime and knows nothing of it any more', async () => {
  let closed = 0;
  const onClose = (): void => {
    closed += 1;
  };
  const spec = { does: '', tools: [asking], onClose };
  const tool = agent('ava', spec).asTool({ model: createScriptedModel(['x'], { atEnd: 'repeat' }) });
  const answer = { id: 'nobody asked', ok: true };
  await expect(tool.execute({ prompt: 'go' }, { callId: 'c', answer })).rejects.toMatchObject({ code: 'nothing_parked' });
  expect(closed).toBe(1);
});

test('options out of range are refused before there is anything to run', async () => {
  const model = createScriptedModel(['x']);
  await expect(agent('ava', { does: '' }).run('go', { model, maxConcurrentTurns: 0 })).rejects.toMatchObject({ code: 'invalid_argument' });
});
