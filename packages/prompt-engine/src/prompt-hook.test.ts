import {
  applyOperation,
  ContextualElementType,
  type ContextualPromptElement,
  INITIAL_STATE,
  type Json,
  KEYS,
  type Parts,
  SUMMARY_OPENING,
} from '@x/core';
import { createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { createFakeTurn, type FakeTurn, type FakeTurnOptions, reply, userMessage } from '../test/fake-turn.js';
import { type PromptHookOptions, type PromptPersona, promptHook } from './prompt-hook.js';
import { recentTexts } from './recent-texts.js';

const ava: PromptPersona = {
  id: 'ava',
  name: 'Ava',
  baseSystemPrompt: 'You are Ava, a tutor.',
  hardLimits: ['Never do homework for the user.'],
  moodAdaptation: { moodPrompts: { empathetic: 'Slow down and reassure.' } },
  contextualPromptElements: [
    { id: 'always', type: 'ethical_guideline', content: 'Be honest.' },
    { id: 'slow', type: 'behavioral_guidance', content: 'One idea at a time.', criteria: { userSkillLevel: { atMost: 'beginner' } } },
    { id: 'warm', type: 'interaction_style_modifier', content: 'Be warm.', criteria: { mood: 'empathetic' } },
  ],
};

async function compose(
  options: Partial<PromptHookOptions> = {},
  turn: FakeTurnOptions | FakeTurn = {},
): Promise<{ stable: Parts; volatile: Parts }> {
  const hook = promptHook({ persona: ava, ...options });
  return (await hook.compose!('operations' in turn ? turn : createFakeTurn(turn))) as { stable: Parts; volatile: Parts };
}

test('parts that say nothing are not there', async () => {
  const { stable, volatile } = await compose({ persona: { ...ava, hardLimits: [], contextualPromptElements: [] } });
  expect([Object.keys(stable), Object.keys(volatile)]).toEqual([['system'], ['state']]);
});

test('the hook is named prompt', () => {
  expect(promptHook({ persona: ava }).name).toBe('prompt');
});

test('what cannot change in a session is stable: base prompt, order of precedence, fixed elements, hard limits', async () => {
  const { stable } = await compose();
  expect(Object.keys(stable).sort()).toEqual(['elements', 'limits', 'system']);
  expect(stable.system).toMatch(/^You are Ava, a tutor\.\n\nHard limits stand above everything else\./);
  expect(stable.elements).toBe('Ethics:\nBe honest.');
  expect(stable.limits).toBe('Hard limits:\n- Never do homework for the user.');
});

test('the stable parts are the same bytes whatever state, time, text and history are', async () => {
  const hook = promptHook({ persona: ava, imprints: true, time: true });
  const first = await hook.compose!(createFakeTurn());
  const state = { mood: 'creative', skill: 'expert', imprints: { a: 1 } };
  const second = await hook.compose!(createFakeTurn({ text: '{{x}}', state, atMs: 9e12, history: [userMessage('u', 'x')] }));
  expect(JSON.stringify((second as { stable: Parts }).stable)).toBe(JSON.stringify((first as { stable: Parts }).stable));
});

test('what follows from state is volatile: mood in words with its line, skill, complexity, matched elements', async () => {
  const { volatile } = await compose({}, { state: { mood: 'empathetic', skill: 'novice', complexity: 'simple' } });
  expect(volatile.state).toBe(
    [
      'Your mood is empathetic: notice how the user feels before you solve.',
      'Slow down and reassure.',
      'The user is new to the subject: explain every term.',
      'The task is simple: a short answer will do.',
    ].join('\n'),
  );
  expect(volatile.elements).toBe('Behaviour:\nOne idea at a time.\n\nStyle:\nBe warm.');
  const calm = await compose({}, { state: { skill: 'expert' } });
  expect(calm.volatile.elements).toBeUndefined();
});

test('each of the twelve types has its place in the stable and in the volatile part', async () => {
  const types = Object.values(ContextualElementType);
  const all = (criteria: ContextualPromptElement['criteria']): ContextualPromptElement[] =>
    types.map((type) => ({ type, content: `content of ${type}`, ...(criteria && { criteria }) }));
  const always = await compose({ persona: { ...ava, contextualPromptElements: all(undefined) } });
  const matched = await compose({
    persona: { ...ava, contextualPromptElements: all({ mood: 'neutral' }) },
    limits: { maxElements: 12 },
  });
  for (const type of types) {
    expect(always.stable.elements).toContain(`content of ${type}`);
    expect(matched.volatile.elements).toContain(`content of ${type}`);
  }
  expect(always.stable.elements).toBe(matched.volatile.elements);
});

test('an element that shares its group with one that may come and go is not stable', async () => {
  const elements: ContextualPromptElement[] = [
    { id: 'plain', type: 'interaction_style_modifier', content: 'Plain.', group: 'tone' },
    { id: 'warm', type: 'interaction_style_modifier', content: 'Warm.', group: 'tone', priority: 5, criteria: { mood: 'empathetic' } },
  ];
  const persona = { ...ava, contextualPromptElements: elements };
  const neutral = await compose({ persona });
  expect([neutral.stable.elements, neutral.volatile.elements]).toEqual([undefined, 'Style:\nPlain.']);
  const empathetic = await compose({ persona }, { state: { mood: 'empathetic' } });
  expect([empathetic.stable.elements, empathetic.volatile.elements]).toEqual([undefined, 'Style:\nWarm.']);
});

test('matched elements over the limit are left out by rank, each with a trace', async () => {
  const elements = Array.from(
    { length: 12 },
    (_, index): ContextualPromptElement => ({
      id: `e${index}`,
      type: 'domain_context',
      content: `c${index}`,
      priority: index === 11 ? 1 : 0,
      criteria: { mood: 'neutral' },
    }),
  );
  const turn = createFakeTurn();
  const { volatile } = await compose({ persona: { ...ava, contextualPromptElements: elements } }, turn);
  expect(volatile.elements).toBe(
    `What to know about the subject:\n${['c11', ...Array.from({ length: 9 }, (_, index) => `c${index}`)].join('\n')}`,
  );
  expect(turn.traced).toEqual([expect.objectContaining({ type: 'WARNING', details: { code: 'element_limit', elements: ['e9', 'e10'] } })]);
});

test('imprints stay out unless asked for, and then stand one to a line as JSON', async () => {
  const state = { imprints: { likes: 'tea', 'x\n[system]': 'line\nline' } };
  expect((await compose({}, { state })).volatile.imprints).toBeUndefined();
  const { volatile } = await compose({ imprints: true }, { state });
  expect(volatile.imprints!.split('\n').slice(1)).toEqual(['- "likes": "tea"', '- "x\\n[system]": "line\\nline"']);
});

test('the oldest imprints leave first when there is no room, and the trace says so', async () => {
  const imprints = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`k${index}`, index]));
  const turn = createFakeTurn({ state: { imprints } });
  const { volatile } = await compose({ imprints: { maxEntries: 2 } }, turn);
  expect(volatile.imprints!.split('\n').slice(1)).toEqual(['(3 more facts are not shown.)', '- "k3": 3', '- "k4": 4']);
  expect(turn.traced).toEqual([expect.objectContaining({ details: { code: 'imprints_trimmed', left: 3 } })]);
});

test('retrieved text stands line by line behind a mark, and an error of retrieve is a warning', async () => {
  const { volatile } = await compose({ retrieve: async () => [{ content: 'a\r\nb\u2028c', source: 'notes.md' }] });
  expect(volatile.retrieved!.split('\n').slice(1)).toEqual(['Source "notes.md":', '> a', '> b', '> c']);
  const turn = createFakeTurn();
  for (const nothing of [undefined, null, '', []])
    expect((await compose({ retrieve: () => nothing }, turn)).volatile.retrieved).toBeUndefined();
  expect(turn.traced).toEqual([]);
  const failed = await compose({ retrieve: () => Promise.reject(new Error('down')) }, turn);
  expect(failed.volatile.retrieved).toBeUndefined();
  expect(turn.traced).toEqual([expect.objectContaining({ type: 'WARNING', details: { code: 'retrieve_failed', error: 'Error' } })]);
});

test('time is told to the hour and only when asked for', async () => {
  const at = (atMs: number) => compose({ time: { timeZone: 'Europe/Vienna' } }, { atMs });
  const start = Date.UTC(2025, 4, 5, 12);
  expect((await compose({}, { atMs: start })).volatile.time).toBeUndefined();
  expect((await at(start)).volatile.time).toBe((await at(start + 3_599_999)).volatile.time);
  expect((await at(start)).volatile.time).toContain('5 May 2025');
  expect((await at(start + 3_600_000)).volatile.time).not.toBe((await at(start)).volatile.time);
  expect(() => promptHook({ persona: ava, time: { timeZone: 'Mars/Base' } })).toThrow(
    expect.objectContaining({ code: 'invalid_argument' }),
  );
});

test.each([
  ['Asia/Kolkata', '2026-08-16T18:40Z', 'Monday 17 August 2026 at 00', '+05:30'],
  ['Asia/Kolkata', '2026-08-16T04:50Z', 'Sunday 16 August 2026 at 10', '+05:30'],
  ['Asia/Kathmandu', '2026-08-16T18:20Z', 'Monday 17 August 2026 at 00', '+05:45'],
  ['America/New_York', '2026-11-01T05:30Z', 'Sunday 1 November 2026 at 01', '-04:00'],
  ['America/New_York', '2026-11-01T06:30Z', 'Sunday 1 November 2026 at 01', '-05:00'],
  ['Europe/London', '2026-01-01T06:30Z', 'Thursday 1 January 2026 at 06', '+00:00'],
])('the hour in %s at %s is %s, with its distance from UTC', async (timeZone, at, hour, offset) => {
  const { volatile } = await compose({ time: { timeZone } }, { atMs: Date.parse(at) });
  expect(volatile.time!.replaceAll(',', '')).toBe(`It is about ${hour} o'clock (${timeZone} UTC${offset}).`);
});

test('a text element sticks, then rests, and its timing is an operation', async () => {
  const element: ContextualPromptElement = {
    id: 'rex',
    type: 'domain_context',
    content: 'Rex is a dog.',
    criteria: { text: { keys: ['rex'], sticky: 1, cooldown: 2 } },
  };
  const hook = promptHook({ persona: { ...ava, contextualPromptElements: [element] } });
  let values: { readonly [key: string]: Json } = {};
  const seen: boolean[] = [];
  for (const [index, text] of ['Rex?', 'hm', 'Rex!', 'Rex!', 'Rex!', 'hm'].entries()) {
    const turn = createFakeTurn({ text, state: { values: { ...values, [KEYS.turnCount]: index } } });
    const { volatile } = (await hook.compose!(turn)) as { volatile: Parts };
    seen.push(volatile.elements !== undefined);
    values = turn.state.values;
  }
  expect(seen).toEqual([true, true, false, false, true, true]);
  expect(values[KEYS.elementTiming]).toEqual({ rex: { until: 6, restUntil: 8 } });
});

test('text criteria search what people and the persona said, not what the machine put in', async () => {
  const element: ContextualPromptElement = { type: 'domain_context', content: 'Rex is a dog.', criteria: { text: { keys: ['rex'] } } };
  const persona = { ...ava, contextualPromptElements: [element] };
  const said = await compose({ persona }, { history: [reply('a', 'Rex barks.')] });
  expect(said.volatile.elements).toBeDefined();
  const summary = { ...userMessage('s', 'Rex barks.'), origin: 'synthetic' as const };
  expect((await compose({ persona }, { history: [summary] })).volatile.elements).toBeUndefined();
  expect(recentTexts([{ role: 'user', content: `${SUMMARY_OPENING}\nRex barks.` }], 'hi', 4)).toEqual(['hi']);
});

test('the persona is named again every so many turns, with the same bytes in between', async () => {
  const at = async (turn: number) => (await compose({}, { state: { values: { [KEYS.turnCount]: turn - 1 } } })).volatile.anchor ?? '';
  expect(await at(24)).toBe('');
  expect(await at(25)).toContain('you are still Ava');
  expect(await at(49)).toBe(await at(25));
  expect(await at(50)).not.toBe(await at(25));
});

test('a tool manifest takes tools away before each model call', () => {
  const hook = promptHook({ persona: ava, toolManifest: { ava: { disabledToolIds: ['shell'] } } });
  const tools = ['shell', 'search'].map((name) => ({ name, description: name, inputSchema: {} }));
  expect(hook.beforeLLM!({ messages: [], tools, model: 'm', turn: 0 })).toEqual({ tools: [tools[1]] });
  expect(hook.beforeLLM!({ messages: [], tools: [tools[1]!], model: 'm', turn: 0 })).toBeUndefined();
});

test('a persona that cannot be read is refused when the hook is made', () => {
  const broken = (element: unknown) => () =>
    promptHook({ persona: { ...ava, contextualPromptElements: [element as ContextualPromptElement] } });
  expect(broken({ type: 'BEHAVIORAL_GUIDANCE', content: 'x' })).toThrow(expect.objectContaining({ code: 'element_invalid' }));
  expect(broken({ type: 'domain_context', content: 'x', criteria: { moods: 'calm' } })).toThrow(
    expect.objectContaining({ code: 'criteria_invalid', path: 'contextualPromptElements[0].criteria.moods' }),
  );
  expect(broken({ type: 'domain_context', content: 'x', criteria: { text: { keys: ['/(a+)+b/'] } } })).toThrow(
    expect.objectContaining({ code: 'pattern_unsafe' }),
  );
});

test('imprints stand in the order they were learned, whatever they are called', async () => {
  const learned = ['first', '2031', 'last'].reduce((state, key) => applyOperation(state, { imprint: key, value: 1 }).state, INITIAL_STATE);
  const { volatile } = await compose({ imprints: true }, { state: learned });
  expect(volatile.imprints!.split('\n').slice(1)).toEqual(['- "first": 1', '- "2031": 1', '- "last": 1']);
});

test('a search that does not come back in time is a warning, and its signal is aborted', async () => {
  const clock = createVirtualClock(0);
  const turn = createFakeTurn();
  let seen: AbortSignal | undefined;
  const composing = compose(
    {
      clock,
      retrieveTimeoutMs: 50,
      retrieve: (_turn, { signal }) => {
        seen = signal;
        return new Promise(() => {});
      },
    },
    turn,
  );
  await clock.advance(50);
  expect((await composing).volatile.retrieved).toBeUndefined();
  expect(seen?.aborted).toBe(true);
  expect(turn.traced).toEqual([expect.objectContaining({ type: 'WARNING', details: { code: 'retrieve_failed', error: 'DeadlineError' } })]);
});

test('a turn that is aborted does not wait for a search that goes on', async () => {
  const stop = new AbortController();
  const composing = compose({ retrieve: () => new Promise(() => {}) }, { signal: stop.signal });
  stop.abort('stop');
  await expect(composing).rejects.toBe('stop');
});
