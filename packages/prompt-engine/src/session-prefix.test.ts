import { createRequestLayout, estimateTextTokens, INITIAL_STATE } from '@x/core';
import { expect, test } from 'vitest';
import { playSession, SESSION } from '../bench/session-workload.mjs';
import { auditPrefix } from './prefix-stability.js';
import { promptHook } from './prompt-hook.js';

// The session of the proof at a tenth of its turns and sizes, with more changes so that it has all that a long one has.
const session = {
  ...SESSION,
  turns: 30,
  prefixTokens: 1200,
  toolTokens: 600,
  blockTokens: 120,
  changeShare: 0.3,
  foldAtTokens: 6000,
  tailTokens: 1200,
  summaryTokens: 150,
  restartAt: 15,
};
const parts = { promptHook, createRequestLayout, countTokens: estimateTextTokens, initialState: INITIAL_STATE, session };

test('a session with changing moods, tools, folds and a restart has no prefix that breaks without a name', async () => {
  const { requests } = await playSession(parts);
  const { steps, unexplained } = auditPrefix(requests);
  expect(unexplained).toEqual([]);
  expect(steps.filter((step) => step.break === 'fold').length).toBeGreaterThan(0);
  for (const step of steps) if (step.break === undefined) expect([step.step, step.stability]).toEqual([step.step, 1]);
});

test('its cached share is within one point of the best possible', async () => {
  const { requests, newTokens } = await playSession(parts);
  const { steps } = auditPrefix(requests);
  const total = steps.reduce((sum, step) => sum + step.nextTokens, 0) + steps[0]!.previousTokens;
  const share = steps.reduce((sum, step) => sum + step.commonTokens, 0) / total;
  expect(Math.abs(share - (1 - newTokens / total))).toBeLessThan(0.01);
});

test('one byte that changes without a name is found at its step', async () => {
  const { requests } = await playSession(parts);
  const at = requests.findIndex(({ break: reason }, index) => index > 7 && reason === undefined);
  const touched = requests.map(({ request, break: reason }, index) => {
    const text = JSON.stringify(request);
    return { request: index < at ? text : text.replace('You are Ava.', 'You are Ava!'), break: reason };
  });
  const { unexplained } = auditPrefix(touched);
  expect(unexplained.map(({ step, brokenAt }) => [step, brokenAt?.segment])).toEqual([[at, 'messages[0]']]);
});

test('a clock in the stable part breaks every prefix, and the audit says so', async () => {
  const { requests } = await playSession({ ...parts, head: (turn) => `It is minute ${turn}.` });
  const { unexplained } = auditPrefix(requests);
  expect(unexplained.length).toBeGreaterThan(session.turns / 2);
  expect(new Set(unexplained.map(({ brokenAt }) => brokenAt?.segment))).toEqual(new Set(['messages[0]']));
});

test.each(['late', 'leading'] as const)('placement %s breaks prefixes that kept notes leave whole', async (placement) => {
  const { requests } = await playSession({ ...parts, placement });
  expect(auditPrefix(requests).unexplained.length).toBeGreaterThan(0);
});
