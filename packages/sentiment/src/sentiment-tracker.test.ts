import { InMemoryWorkingMemory, type IUtilityAI } from '@x/core';
import { createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { detectAffect } from './detect-affect.js';
import { SentimentTracker } from './sentiment-tracker.js';
import { StatisticalUtilityAI } from './statistical-utility.js';

type Heard = { readonly role: string; readonly content?: unknown };

function tracking(utility: Pick<IUtilityAI, 'analyzeSentiment'>, history: readonly Heard[] = [], clock = createVirtualClock(0)) {
  const traces: { readonly type: string; readonly details: unknown }[] = [];
  const tracker = new SentimentTracker(
    utility,
    new InMemoryWorkingMemory(),
    () => ({ sentimentTracking: { enabled: true } }),
    () => history,
    () => [],
    () => ({}),
    () => undefined,
    (type, _message, details) => traces.push({ type, details }),
    () => 'gmi',
    clock,
  );
  return { tracker, traces, clock };
}

/** Keeps what it was asked. */
function listening() {
  const contexts: unknown[] = [];
  const utility = {
    analyzeSentiment: async (_text: string, options?: object) => {
      contexts.push((options as { context?: unknown }).context);
      return {
        score: 0,
        polarity: 'neutral',
        intensity: 0,
        comparative: 0,
        confidence: 1,
        positiveTokens: [],
        negativeTokens: [],
        neutralTokens: [],
      } as const;
    },
  };
  return { utility, contexts };
}

test('a request that is said again is read with what came before, as detectAffect with context reads it', async () => {
  const again = 'Please answer in English.';
  const utility = new StatisticalUtilityAI();
  const frustrated: (number | undefined)[] = [];
  const listener: Pick<IUtilityAI, 'analyzeSentiment'> = {
    async analyzeSentiment(text, options) {
      const result = await utility.analyzeSentiment(text, options);
      frustrated.push((result as { frustrated?: number }).frustrated);
      return result;
    },
  };
  const history: Heard[] = [];
  const { tracker } = tracking(listener, history);
  for (const [turn, answer] of ['Gerne, was kann ich tun?', 'Natürlich!'].entries()) {
    history.push({ role: 'user', content: again });
    await tracker.analyzeTurnSentiment(`t${turn}`, again);
    history.push({ role: 'assistant', content: answer });
  }
  const context = [
    { role: 'user', text: again },
    { role: 'assistant', text: 'Gerne, was kann ich tun?' },
  ] as const;
  expect(frustrated).toEqual([detectAffect(again).frustrated, detectAffect(again, { context }).frustrated]);
  expect(frustrated[1]).toBeGreaterThan(0.8);
});

test('the analyser gets the last four turns before the message, oldest first', async () => {
  const { utility, contexts } = listening();
  const history = [
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'two' },
    { role: 'user', content: 'three' },
    { role: 'tool', content: 'found' },
    { role: 'assistant', content: null },
    { role: 'user', content: 'tick', origin: 'heartbeat' },
    { role: 'assistant', content: 'four' },
    { role: 'user', content: [{ type: 'text', text: 'five' }] },
  ];
  const expected = [
    { role: 'assistant', text: 'two' },
    { role: 'user', text: 'three' },
    { role: 'assistant', text: 'four' },
    { role: 'user', text: 'five' },
  ];
  await tracking(utility, history).tracker.analyzeTurnSentiment('t1', 'six');
  await tracking(utility, [...history, { role: 'user', content: 'six' }]).tracker.analyzeTurnSentiment('t1', 'six');
  expect(contexts).toEqual([expected, expected]);
});

test('an analyser that hangs is given up after ten seconds and its call is aborted', async () => {
  let seen: AbortSignal | undefined;
  const { tracker, traces, clock } = tracking({
    analyzeSentiment: (_text, options) => {
      seen = (options as { signal?: AbortSignal }).signal;
      return new Promise<never>(() => undefined);
    },
  });
  const done = tracker.analyzeTurnSentiment('t1', 'hello');
  await clock.advance(10_000);
  await done;
  expect(seen?.aborted).toBe(true);
  expect(traces).toEqual([{ type: 'WARNING', details: { turnId: 't1', error: 'deadline_passed' } }]);
});
