import { createMemoryStore, type IPersonaDefinition, isAgentosError } from '@x/core';
import { createScriptedModel, createVirtualClock } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { AgentOS, type AgentOSOptions } from './agentos.js';
import type { AgentOSResponse } from './chunks.js';
import type { GMI } from './gmi.js';

const tutor: IPersonaDefinition = {
  id: 'tutor',
  name: 'Tutor',
  description: 'A patient programming tutor.',
  version: '1.0.0',
  baseSystemPrompt: 'You are a patient programming tutor.',
  sentimentTracking: { enabled: true, presets: ['frustration_recovery'] },
};
const look = { name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: {} }, execute: () => 'seen' };
const request = { userId: 'anna', sessionId: 's1', selectedPersonaId: 'tutor' };

async function build(script: Parameters<typeof createScriptedModel>[0], options: Partial<AgentOSOptions> = {}) {
  const model = createScriptedModel(script);
  const agentos = await AgentOS.create({
    personas: [tutor],
    model,
    clock: createVirtualClock(0),
    features: { metapromptMode: 'local' },
    ...options,
  });
  const say = async (textInput: string, more = {}): Promise<AgentOSResponse[]> => {
    const chunks: AgentOSResponse[] = [];
    for await (const chunk of agentos.processRequest({ ...request, textInput, ...more })) chunks.push(chunk);
    return chunks;
  };
  return { agentos, model, say };
}
const kinds = (chunks: readonly AgentOSResponse[]): readonly string[] =>
  chunks.map((chunk) => (chunk.type === 'metadata_update' ? Object.keys(chunk.updates).join('+') : chunk.type));

test('a plain turn is said in one order, and only its last chunk is final', async () => {
  const { say } = await build(['Hello.']);
  const chunks = await say('Hi');
  expect(kinds(chunks)).toEqual([
    'system_progress',
    'executionLifecycle+routing',
    'text_delta',
    'events+operations+metaprompts',
    'taskOutcome',
    'executionLifecycle',
    'final_response',
  ]);
  expect(chunks.filter(({ isFinal }) => isFinal).map(({ type }) => type)).toEqual(['final_response']);
  const last = chunks.at(-1);
  expect(last?.type === 'final_response' && [last.finalResponseText, last.status, last.activePersonaDetails]).toEqual([
    'Hello.',
    'done',
    { id: 'tutor', name: 'Tutor' },
  ]);
});

test('tool calls and their results stand between the words', async () => {
  const { say } = await build([{ text: 'Let me see.', toolCalls: [{ name: 'look', arguments: {} }] }, 'Found it.'], { tools: [look] });
  const chunks = (await say('Look')).filter((chunk, index, all) => chunk.type !== 'text_delta' || all[index - 1]?.type !== 'text_delta');
  expect(kinds(chunks).slice(2, 6)).toEqual(['text_delta', 'tool_call_request', 'tool_result_emission', 'text_delta']);
  const result = chunks.find(({ type }) => type === 'tool_result_emission');
  expect(result).toMatchObject({ toolName: 'look', toolResult: 'seen', isSuccess: true });
});

test('a failed turn ends in a typed error, and the session takes the next one', async () => {
  const { say } = await build([{ error: new Error('the line is down') }, 'Back again.']);
  const failed = await say('Hi');
  expect(kinds(failed).slice(-2)).toEqual(['executionLifecycle+taskOutcome', 'error']);
  expect(failed.at(-1)).toMatchObject({ type: 'error', isFinal: true });
  expect((await say('Hi again')).at(-1)).toMatchObject({ type: 'final_response', finalResponseText: 'Back again.' });
});

test('an abort throws its own reason and commits nothing', async () => {
  const { agentos, say } = await build(['One.', 'Two.']);
  const reason = new Error('enough');
  await expect(say('Hi', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(await (await agentos.gmi(request).session()).history()).toEqual([]);
});

test('the same request sent again gets the same answer without asking the model', async () => {
  const { say, model } = await build(['Once.', 'Twice.']);
  await say('Hi', { requestId: 'r1' });
  const again = await say('Hi', { requestId: 'r1' });
  expect(again.at(-1)).toMatchObject({ finalResponseText: 'Once.' });
  expect(model.requests).toHaveLength(1);
});

describe('scopes', () => {
  test('users with the same session id share nothing', async () => {
    const { say, model, agentos } = await build(() => 'Noted.');
    await say('My card number is 4711.');
    await say('What did I say?', { userId: 'bob' });
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('4711');
    await say('This is terrible, I hate it and the app is useless.');
    await agentos.gmi(request).drain();
    expect([(await agentos.gmi(request).state()).mood, (await agentos.gmi({ ...request, userId: 'bob' }).state()).mood]).toEqual([
      'empathetic',
      'neutral',
    ]);
  });

  test('another persona of the same user and session has its own mood and history', async () => {
    const { say, model } = await build(() => 'Noted.', { personas: [tutor, { ...tutor, id: 'coach', name: 'Coach' }] });
    await say('I like tea.');
    await say('Hello', { selectedPersonaId: 'coach' });
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('tea');
  });
});

test('a manual metaprompt runs after the next turn', async () => {
  const manual = {
    id: 'mine',
    promptTemplate: 'x',
    mode: 'local',
    handler: () => ({ updatedGmiMood: 'curious' }),
    trigger: { type: 'manual' },
  } as const;
  const { agentos, say } = await build(() => 'Yes.', { personas: [{ ...tutor, metaPrompts: [manual] }] });
  await agentos.triggerMetaprompt({ userId: 'anna', sessionId: 's1', personaId: 'tutor', metapromptId: 'mine' });
  const chunks = await say('Hi');
  await agentos.gmi(request).drain();
  expect(chunks.find((chunk) => chunk.type === 'metadata_update' && chunk.updates.metaprompts)).toMatchObject({
    updates: { metaprompts: ['mine'] },
  });
  expect((await agentos.gmi(request).state()).mood).toBe('curious');
  await expect(agentos.triggerMetaprompt({ userId: 'anna', sessionId: 's1', metapromptId: 'none' })).rejects.toMatchObject({
    code: 'metaprompt_unknown',
  });
});

test('the model changes its own trait when self-improvement is on, in its own lane alone', async () => {
  const call = { name: 'adapt_personality', arguments: { trait: 'openness', delta: 0.5, reasoning: 'The user likes wild ideas.' } };
  const { agentos, say } = await build([{ toolCalls: [call] }, 'Done.', 'Other.'], {
    emergentConfig: { selfImprovement: { enabled: true } },
  });
  await say('Be more open');
  await say('Hi', { userId: 'bob' });
  expect((await agentos.gmi(request).state()).traits['openness']).toBeCloseTo(0.65);
  expect((await agentos.gmi({ ...request, userId: 'bob' }).state()).traits['openness']).toBe(0.5);
});

test.each([
  ['no persona', { personas: [] }, 'configuration_invalid'],
  ['two with one id', { personas: [tutor, tutor] }, 'configuration_invalid'],
  ['an invalid one', { personas: [{ ...tutor, version: 'x' }] }, 'persona_invalid'],
  ['an unknown provider', { personas: [{ ...tutor, defaultProviderId: 'nobody' }] }, 'provider_unknown'],
])('creating with %s fails', async (_title, options, code) => {
  const error = await AgentOS.create(options).catch((thrown: unknown) => thrown);
  expect(isAgentosError(error) && error.code).toBe(code);
});

test('an unknown persona and a runtime that was shut down say so', async () => {
  const { agentos, say } = await build(['Hello.']);
  await expect(say('Hi', { selectedPersonaId: 'none' })).rejects.toMatchObject({ code: 'persona_unknown' });
  await agentos.shutdown();
  await expect(say('Hi')).rejects.toMatchObject({ code: 'shut_down' });
});

describe('many sessions', () => {
  test('two conversations of one session run one turn at a time', async () => {
    let running = 0;
    let most = 0;
    const slow = {
      ...look,
      async execute() {
        running += 1;
        most = Math.max(most, running);
        for (let lap = 0; lap < 20; lap += 1) await new Promise(setImmediate);
        running -= 1;
        return 'seen';
      },
    };
    const { say } = await build(
      ({ messages }) => (messages.at(-1)?.role === 'tool' ? 'Done.' : { toolCalls: [{ name: 'look', arguments: {} }] }),
      { tools: [slow] },
    );
    const ends = await Promise.all([say('One', { conversationId: 'a' }), say('Two', { conversationId: 'b' })]);
    expect(ends.map((chunks) => chunks.at(-1)?.type)).toEqual(['final_response', 'final_response']);
    expect(most).toBe(1);
  });

  test('the longest unused sleeps, keeps its id and the end of its trace, and knows everything when it wakes', async () => {
    const { agentos, model, say } = await build(() => 'Yes.', { maxAwake: 1 });
    await say('My name is Anna', { userId: 'anna' });
    for (let turn = 0; turn < 30; turn += 1) await say(`Turn ${turn}`, { userId: 'anna' });
    const gmi = agentos.gmi({ ...request, userId: 'anna' });
    const trace = gmi.getReasoningTrace().entries;
    await say('I am Ben', { userId: 'ben' });
    expect(await gmi.sleep()).toBe(false); // it sleeps already
    expect(agentos.gmi({ ...request, userId: 'anna' })).toBe(gmi);
    expect(trace.length).toBeGreaterThan(20);
    expect(gmi.getReasoningTrace().entries).toEqual(trace.slice(-20));
    const last = (await say('What is my name?', { userId: 'anna' })).at(-1);
    expect(last).toMatchObject({ type: 'final_response', gmiInstanceId: gmi.id });
    const sent = model.requests
      .at(-1)
      ?.messages.map(({ content }) => JSON.stringify(content))
      .join('\n');
    expect(sent).toContain('My name is Anna');
    expect(sent).not.toContain('Ben');
  });

  test.each<[string, (gmi: GMI) => PromiseLike<unknown>]>([
    ['turns of its GMI', (gmi) => gmi.processTurn('Hi')],
    ['a look at its state', (gmi) => gmi.state()],
    ['waiting for its background work', (gmi) => gmi.drain()],
    ['a trait that is set', (gmi) => gmi.setPersonalityTrait('openness', 0.5)],
    ['a reload', (gmi) => gmi.reload()],
    ['a metaprompt that is asked for', (gmi) => gmi.triggerMetaprompt('gmi_frustration_recovery')],
  ])('a session that is used by %s sleeps as one that is asked does', async (_, use) => {
    const { agentos } = await build(() => 'Yes.', { maxAwake: 1 });
    const [anna, ben] = ['anna', 'ben'].map((userId) => agentos.gmi({ ...request, userId }));
    await use(anna!);
    await use(ben!);
    expect(await anna!.sleep()).toBe(false); // it sleeps already
    expect(await ben!.sleep()).toBe(true);
    expect(await anna!.processTurn('Hi')).toMatchObject({ text: 'Yes.' });
  });

  test('sessions that a host sent to sleep are not counted as awake', async () => {
    const { agentos } = await build(() => 'Yes.', { maxAwake: 2 });
    const gmis = Array.from({ length: 9 }, (_, user) => agentos.gmi({ ...request, userId: `u${user}` }));
    for (const [user, gmi] of gmis.entries()) {
      await gmi.processTurn('Hi');
      if (user < 6) await gmi.sleep();
    }
    await gmis[8]!.drain();
    expect(gmis.map((gmi) => gmi.isAwake)).toEqual([...Array(7).fill(false), true, true]);
  });

  test('a session whose trait is being set does not sleep until that is committed', async () => {
    const inner = createMemoryStore({ clock: createVirtualClock(0) });
    let go: (() => void) | undefined;
    const commits = new Promise<void>((resolve) => {
      go = resolve;
    });
    let reached: (() => void) | undefined;
    const waiting = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const store: typeof inner = {
      ...inner,
      async open(scope, options) {
        const lane = await inner.open(scope, options);
        return {
          ...lane,
          async commit(change) {
            reached?.();
            await commits;
            return lane.commit(change);
          },
        };
      },
    };
    const { agentos } = await build(() => 'Yes.', { store });
    const gmi = agentos.gmi(request);
    const setting = gmi.setPersonalityTrait('openness', 0.9);
    await waiting;
    expect(await gmi.sleep()).toBe(false);
    go?.();
    await setting;
    expect((await gmi.state()).traits['openness']).toBe(0.9);
    expect(await gmi.sleep()).toBe(true);
  });

  test('a session that a host holds does not sleep', async () => {
    const { agentos, say } = await build(() => 'Yes.', { maxAwake: 1 });
    await say('Hi', { userId: 'anna' });
    const session = await agentos.gmi({ ...request, userId: 'anna' }).session();
    await say('Hi', { userId: 'ben' });
    await say('Hi', { userId: 'cleo' });
    expect((await session.ask('Still there?')).text).toBe('Yes.');
  });

  test('background work ends before its session sleeps', async () => {
    const { agentos, say } = await build(() => 'Yes.', { maxAwake: 1 });
    await say('This is broken, I am so frustrated and angry!', { userId: 'anna' });
    await say('It still does not work, this is terrible and useless!', { userId: 'anna' });
    await say('Hi', { userId: 'ben' });
    await say('Hi', { userId: 'cleo' });
    expect((await agentos.gmi({ ...request, userId: 'anna' }).state()).mood).toBe('empathetic');
  });
});

describe('what cannot be is refused at create', () => {
  const model = createScriptedModel(['x']);
  test.each([
    ['no options', undefined, 'personas must be a list'],
    ['no personas', { model }, 'personas must be a list'],
    ['personas by name', { personas: { tutor }, model }, 'personas must be a list'],
    ['the name of a model', { personas: [tutor], model: 'gpt-4o-mini' }, 'defaultModelId'],
    ['a placement that is none', { personas: [tutor], model, placement: 'middle' }, 'Known: kept-on-change, late, leading'],
    ['a price that is none', { personas: [tutor], model, prices: { m: { inputPerMillion: Number.NaN, outputPerMillion: 1 } } }, 'prices'],
    ['prices that are null', { personas: [tutor], model, prices: null }, 'prices'],
    ['no number of sessions', { personas: [tutor], model, maxAwake: Number.NaN }, 'maxAwake'],
  ])('%s', async (_title, options, words) => {
    const refused = AgentOS.create(options as unknown as AgentOSOptions);
    await expect(refused).rejects.toMatchObject({ code: 'configuration_invalid', message: expect.stringContaining(words) });
  });

  test('of several personas the wrong one is named', async () => {
    const second = AgentOS.create({ personas: [tutor, { ...tutor, id: 'two', version: 'x' }], model });
    await expect(second).rejects.toMatchObject({ code: 'persona_invalid', message: expect.stringContaining('Persona "two" has 1 error.') });
    const nameless = AgentOS.create({ personas: [tutor, { ...tutor, id: '' }], model });
    await expect(nameless).rejects.toMatchObject({ message: expect.stringContaining('personas[1] has 1 error.') });
  });
});

test('people without an id share no lane: a request that names none is refused', async () => {
  const { agentos, say } = await build(['Hello.']);
  for (const more of [{ userId: '' }, { userId: 7 }, { userId: undefined }, { sessionId: '' }, { sessionId: null }] as never[])
    await expect(say('Hi', more)).rejects.toMatchObject({ code: 'invalid_argument' });
  expect((await say('Hi', { selectedPersonaId: null })).at(-1)?.type).toBe('final_response');
  await agentos.shutdown();
});

test('two processes that share sessions go on from each other, turn by turn', async () => {
  const store = createMemoryStore();
  const [one, two] = [await build(() => 'Yes.', { store, shared: true }), await build(() => 'Yes.', { store, shared: true })];
  for (const [index, { say }] of [one, two, one, two, one].entries()) expect((await say(`${index}`)).at(-1)?.type).toBe('final_response');
  expect(one.model.requests.at(-1)?.messages.filter(({ role }) => role === 'user')).toHaveLength(5);
});
