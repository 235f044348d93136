import { INITIAL_STATE, KEYS, type Stored, type TraceEntry } from '@x/core';
import { expect, test } from 'vitest';
import { type Evidence, type EvidenceLimits, VARIABLE_NAMES, variableOf } from './variables.js';

const said = (text: string, origin: Stored['origin'] = 'user', index = 0): Stored => ({
  id: `m${index}`,
  role: origin === 'assistant' ? 'assistant' : 'user',
  content: text,
  origin,
});
const noted = (type: TraceEntry['type'], message: string): TraceEntry => ({
  type,
  message,
  turn: 't',
  atMs: 0,
  details: { secret: 'tool result' },
});
const evidence = (fields: Partial<Evidence> = {}): Evidence => ({ state: INITIAL_STATE, history: [], traceLog: [], events: [], ...fields });
const scored = (record: object) => ({ ...INITIAL_STATE, values: { [KEYS.sentimentHistory]: record as never } });
const value = (name: string, id: string, fields?: Partial<Evidence>, limits?: EvidenceLimits) =>
  variableOf(name, id, evidence(fields), limits);
const dataOf = (text: string | undefined) => JSON.parse(/<data name="[a-z_]+">(.*)<\/data>/s.exec(text ?? '')?.[1] ?? 'null');

const FRUSTRATION = 'gmi_frustration_recovery';

test('zero is shown as 0, and only what was never read has a default', () => {
  const zero = scored({
    trends: [{ score: 0, polarity: 'neutral' }],
    consecutiveFrustration: 0,
    consecutiveConfusion: 0,
    consecutiveNeutral: 0,
  });
  const names = ['sentiment_score', 'consecutive_frustration', 'consecutive_confusion', 'consecutive_neutral', 'current_sentiment'];
  expect(names.map((name) => value(name, FRUSTRATION, { state: zero }))).toEqual(['0', '0', '0', '0', 'neutral']);
  expect(names.map((name) => value(name, FRUSTRATION))).toEqual(['-0.5', '1', '1', '4', 'negative']);
  expect(value('sentiment_score', FRUSTRATION, { state: scored({ trends: [{ score: null }] }) })).toBe('unknown');
  expect(value('current_sentiment', 'gmi_satisfaction_reinforcement')).toBe('positive');
  expect(value('current_sentiment', 'mine')).toBe('neutral');
});

test('the conversation holds the last five genuine messages, each and all of them capped', () => {
  const history = [
    ...Array.from({ length: 6 }, (_, index) => said(`message ${index}`, index % 2 ? 'assistant' : 'user', index)),
    said('summary of old talk', 'synthetic', 7),
    said('beat', 'heartbeat', 8),
    said('tool output', 'tool', 9),
  ];
  expect(dataOf(value('recent_conversation', 'x', { history })).map((entry: { text: string }) => entry.text)).toEqual([
    'message 1',
    'message 2',
    'message 3',
    'message 4',
    'message 5',
  ]);
  const long = [said('y'.repeat(200_000), 'user', 1), said('z'.repeat(200_000), 'user', 2)];
  expect(value('recent_conversation', 'x', { history: long })?.length).toBeLessThan(4200);
  expect(dataOf(value('recent_conversation', 'x', { history: long }, { messageChars: 100, conversationChars: 200 }))).toEqual([
    { id: 'm2', role: 'user', text: `${'z'.repeat(100)} [199900 more characters]` },
  ]);
});

test('evidence keeps mood and contexts first and loses only whole entries, the oldest first', () => {
  const history = Array.from({ length: 10 }, (_, index) => said(`${index}:${'t'.repeat(300)}`, 'user', index));
  const traceLog = Array.from({ length: 20 }, (_, index) => noted('DEBUG', `${index}:${'d'.repeat(100)}`));
  const state = { ...INITIAL_STATE, mood: 'curious', domain: 'graphs', values: { [KEYS.user]: { userId: 'u', blob: 'x'.repeat(5000) } } };
  const text = value('evidence', 'gmi_self_trait_adjustment', { state, history, traceLog }, { evidenceChars: 3000 }) ?? '';
  const data = dataOf(text);
  expect(text.length).toBeLessThanOrEqual(3060);
  expect(Object.keys(data)).toEqual(['currentMood', 'userContext', 'taskContext', 'recentHistory', 'recentReasoning']);
  expect(data.userContext).toEqual({ skillLevel: 'novice', userId: 'u' });
  expect(data.taskContext).toEqual({ complexity: 'moderate', domain: 'graphs' });
  expect(data.recentHistory.at(-1).text.startsWith('9:')).toBe(true);
  expect(data.recentReasoning.at(-1).message.startsWith('19:')).toBe(true);
  expect(data.recentHistory.length + data.recentReasoning.length).toBeLessThan(30);
});

test('traces are shown without their details, and errors apart from the rest', () => {
  const traceLog = [noted('ERROR', 'tool failed'), noted('DEBUG', 'all well')];
  expect(dataOf(value('recent_errors', 'x', { traceLog }))).toEqual([{ type: 'ERROR', message: 'tool failed' }]);
  expect(dataOf(value('recent_reasoning', 'x', { traceLog }))).toHaveLength(2);
});

test('confusion keywords are those of the newest confused event', () => {
  const event = (keywords: string[]) => ({
    eventType: 'user_confused',
    timestamp: '',
    turnId: 't',
    severity: 'medium' as const,
    metadata: { triggerKeywords: keywords },
  });
  expect(dataOf(value('confusion_keywords', 'x', { events: [event(['old']), event(['unclear'])] }))).toEqual(['unclear']);
  expect(dataOf(value('confusion_keywords', 'x'))).toEqual([]);
});

test('secrets said in chat do not go to the helper model', () => {
  const history = [said('my db password is hunter2, key sk-abc123 and token: ghp_abcdefghijklmnopqrstuvwx')];
  const text = value('recent_conversation', 'x', { history }) ?? '';
  expect(['hunter2', 'sk-abc123', 'ghp_'].filter((secret) => text.includes(secret))).toEqual([]);
});

test('every handler of the seed finds its variables', () => {
  const wanted =
    'evidence current_mood user_skill task_complexity current_sentiment sentiment_score consecutive_frustration recent_conversation recent_errors consecutive_confusion confusion_keywords consecutive_satisfaction consecutive_neutral recent_reasoning';
  expect(wanted.split(' ').filter((name) => !VARIABLE_NAMES.includes(name))).toEqual([]);
  expect(value('nobody', 'x')).toBeUndefined();
  expect(value('constructor', 'x')).toBeUndefined();
});

test('a limit of no messages shows none, not all', () => {
  const history = [said('one'), said('two', 'assistant', 1)];
  expect(dataOf(value('recent_conversation', 'mine', { history }, { messages: 0 }))).toEqual([]);
  expect(dataOf(value('recent_conversation', 'mine', { history }, { messages: 1 }))).toHaveLength(1);
});
