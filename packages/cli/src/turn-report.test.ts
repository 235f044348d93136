import { GMI, type IPersonaDefinition, type ITool, pending } from '@x/agentos';
import { createScriptedModel } from '@x/testkit';
import { afterEach, expect, test } from 'vitest';
import { tutor } from './personas.js';
import { createReporter } from './turn-report.js';

const open: GMI[] = [];
afterEach(() => Promise.all(open.splice(0).map((gmi) => gmi.shutdown())));

function reporterOf(
  sentimentTracking: IPersonaDefinition['sentimentTracking'],
  options: Partial<ConstructorParameters<typeof GMI>[0]> = {},
) {
  const persona: IPersonaDefinition = { ...tutor, metaPrompts: [], sentimentTracking };
  const gmi = new GMI({ persona, model: createScriptedModel(['I see.'], { atEnd: 'repeat' }), ...options });
  open.push(gmi);
  return createReporter(gmi);
}
const ANGRY = 'This is terrible, I hate it and your answer is useless.';

test('the score is the one that the turn was judged by, with the words it rests on', async () => {
  const run = reporterOf({ enabled: true });
  await run('What is a loop?');
  const { score, evidence, events } = await run(ANGRY);
  expect(score).toBeLessThan(-0.3);
  expect(evidence.join(' ')).toMatch(/terrible|hate|useless/);
  expect(events).toEqual(['user_frustrated']);
});

test('a persona that is not scored has no score', async () => {
  expect(await reporterOf({ enabled: false })(ANGRY)).toMatchObject({ score: null, evidence: [] });
});

test("a host's analyser is the one that is told, without words that it did not name", async () => {
  const analyzeSentiment = async () =>
    ({ score: 0.25, polarity: 'positive', intensity: 0.25, positiveTokens: [], negativeTokens: [] }) as const;
  const run = reporterOf({ enabled: true }, { utilityAI: { analyzeSentiment } as never });
  expect(await run(ANGRY)).toMatchObject({ score: 0.25, evidence: [] });
});

test('the method of the persona decides the score', async () => {
  const scores = [];
  for (const method of [undefined, 'lexicon_based', 'trained_classifier'] as const)
    scores.push((await reporterOf({ enabled: true, method })('This is terrible, and yet I love it.')).score);
  expect(new Set(scores).size).toBe(3);
});

test('a turn that failed has no number: the next one is counted on', async () => {
  const model = createScriptedModel(['Yes.', { error: new Error('the line is down') }, 'Yes.']);
  const run = reporterOf({ enabled: false }, { model });
  expect((await run('One?')).turn).toBe(1);
  await expect(run('Two?')).rejects.toThrow();
  expect((await run('Two?')).turn).toBe(2);
});

test('a turn that waits for a human says with what, and its answer is told under the same number', async () => {
  const pay: ITool = {
    name: 'pay',
    description: 'Pays.',
    inputSchema: { type: 'object' },
    execute(_args, { answer, turn }) {
      if (!answer) return pending({ id: 'q1', kind: 'approval', prompt: 'Pay 12 euros?' });
      turn?.apply({ set: 'mood', to: 'focused' }, 'it was paid');
      return `paid, ${String(answer.value)}`;
    },
  };
  const model = createScriptedModel([{ toolCalls: [{ name: 'pay', arguments: {} }] }, 'It is paid.']);
  const run = reporterOf({ enabled: false }, { model, tools: [pay] });
  const first = await run('Pay the bill.');
  expect(first).toMatchObject({ turn: 1, status: 'pending', pending: { id: 'q1', prompt: 'Pay 12 euros?' }, tools: [] });
  const second = await run({ id: 'q1', ok: true, value: true });
  expect(second).toMatchObject({
    turn: 1,
    user: 'Pay the bill.',
    status: 'done',
    answer: 'yes',
    pending: undefined,
    reply: 'It is paid.',
    tools: [{ name: 'pay', output: 'paid, true', isError: false }],
    changes: [{ what: 'mood', from: 'neutral', to: 'focused' }],
  });
  expect(second.inputTokens).toBeGreaterThan(0);
});
