import { expect, test } from 'vitest';
import { auditPrefix, prefixStability } from './prefix-stability.js';

const count = (text: string): number => text.length;
const system = { role: 'system' as const, content: 'You are Ava.' };
const user = (content: string) => ({ role: 'user' as const, content });

test('an appended message leaves the prefix whole', () => {
  const result = prefixStability([system, user('a')], [system, user('a'), user('b')], count);
  expect(result.stability).toBe(1);
  expect(result.brokenAt).toBeUndefined();
  expect(result.cachedShare).toBeCloseTo(result.previousTokens / result.nextTokens);
  expect(result.commonTokens).toBe(result.previousTokens);
});

test('one changed byte breaks the prefix there', () => {
  const { stability, brokenAt } = prefixStability([system, user('calm')], [{ ...system, content: 'You are Eva.' }, user('calm')], count);
  expect(stability).toBeLessThan(0.6);
  expect(brokenAt).toEqual({ segment: 'messages[0]', offset: 36, before: ':"You are Ava."}', after: ':"You are Eva."}' });
});

test('bodies are read in the order in which providers cache them: model, tools, system, messages', () => {
  const body = { messages: [user('a')], temperature: 0.1, tools: [{ name: 'x' }], system: 'S', model: 'm' };
  const where = (change: object) => prefixStability(body, { ...body, ...change }, count).brokenAt?.segment;
  expect(where({ temperature: 0.9 })).toBeUndefined();
  expect(where({ model: 'n' })).toBe('model');
  expect(where({ tools: [{ name: 'y' }] })).toBe('tools[0]');
  expect(where({ tools: [{ name: 'x' }, { name: 'y' }] })).toBe('system');
  expect(where({ system: 'T' })).toBe('system');
  expect(where({ messages: [] })).toBe('messages[0]');
});

test('a body may come as JSON text, and other text is compared as it is', () => {
  const text = JSON.stringify({ model: 'm', messages: [user('a')] });
  expect(prefixStability(text, JSON.parse(text), count).stability).toBe(1);
  expect(prefixStability('system: x\n\nuser: a', 'system: x\n\nuser: a\n\nuser: b', count)).toMatchObject({ stability: 18 / 18 });
  expect(prefixStability('abcd', 'abXd', count)).toMatchObject({ commonTokens: 2, brokenAt: { segment: 'text', offset: 2 } });
});

test('a last message that was only written on is not broken', () => {
  const result = prefixStability([system, user('Are you there?')], [system, user('Are you there?\n\nHello?')], count);
  expect(result.brokenAt).toBeUndefined();
  expect(result.stability).toBe(1);
});

test('what is ours in a message is not compared', () => {
  expect(prefixStability([{ ...user('a'), id: '1' }], [{ ...user('a'), id: '2', origin: 'user' as const }], count).stability).toBe(1);
});

test('an audit finds the one step that broke without a reason, and leaves named breaks alone', () => {
  const talk = ['a', 'b', 'c', 'd'].map((_, index, all) => [system, ...all.slice(0, index + 1).map(user)]);
  const folded = [system, user('summary'), user('d')];
  const touched = [{ ...system, content: 'You are Ava!' }, user('summary'), user('d')];
  const requests = [...talk.map((request) => ({ request })), { request: folded, break: 'fold' as const }, { request: touched }];
  const { steps, unexplained } = auditPrefix(requests, count);
  expect(steps.map(({ step, stability }) => [step, stability === 1])).toEqual([
    [1, true],
    [2, true],
    [3, true],
    [4, false],
    [5, false],
  ]);
  expect(unexplained.map(({ step, brokenAt }) => [step, brokenAt?.segment])).toEqual([[5, 'messages[0]']]);
});

test('an empty request before another is stable', () => {
  expect(prefixStability([], [user('a')], count)).toMatchObject({ stability: 1, cachedShare: 0, commonTokens: 0 });
});
