import type { Capabilities, Finish, IChatModel, ModelEvent, ModelRequest } from '@x/core';
import { expect, test } from 'vitest';
import { LLMUtilityAI } from './llm-utility.js';

function answering(text: string, finish: Finish = 'stop', capabilities: Partial<Capabilities> = {}) {
  const requests: ModelRequest[] = [];
  const model: IChatModel = {
    modelId: 'scripted',
    providerId: 'test',
    capabilities: { lateNote: 'fenced-user', mergeUserRuns: false, structuredOutput: false, ...capabilities },
    async *stream(request): AsyncGenerator<ModelEvent> {
      requests.push(request);
      yield { type: 'text-delta', text };
      yield { type: 'model-end', finish, usage: {} };
    },
  };
  return { utility: new LLMUtilityAI({ model }), requests };
}

test.each([
  ['length', 'The first half of'],
  ['refused', 'I cannot help'],
  ['tool-calls', 'Let me look'],
] as const)('a reply that ended with %s is no answer', async (finish, text) => {
  await expect(answering(text, finish).utility.summarize('a long story')).rejects.toMatchObject({
    code: 'model_reply_invalid',
    retryable: true,
    message: expect.stringContaining(finish),
  });
  const cut = answering('{"score": 0.5, "polarity": "positive"}', finish).utility;
  await expect(cut.analyzeSentiment('fine')).rejects.toMatchObject({ code: 'model_reply_invalid' });
});

test('JSON that a repair left unfinished is not read', async () => {
  const { utility } = answering('{"key": "va"}', 'length');
  expect(await utility.parseJsonSafe('key is value', { attemptFixWithLLM: true })).toBeNull();
});

test('a request has one system prompt and one user message', async () => {
  const { utility, requests } = answering('short');
  await utility.summarize('a long story');
  expect(requests[0]!.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  expect(requests[0]!.messages[1]!.content).toBe('a long story');
  expect(Object.keys(requests[0]!.messages[1]!)).toEqual(['role', 'content']);
});

test('an endpoint that takes one text gets task and text as one message', async () => {
  const { utility, requests } = answering('short', 'stop', { transcript: 'completion' });
  await utility.summarize('a long story');
  expect(requests[0]!.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
  expect(requests[0]!.messages.some(({ role, content }) => role === 'user' && String(content).includes('a long story'))).toBe(true);
});

test.each([
  ['a score of ten', '{"score": 2, "polarity": "negative"}'],
  ['a score of a hundred', '{"score": 50, "polarity": "neutral"}'],
  ['a score from 0 to 1', '{"score": 0.2, "polarity": "negative"}'],
  ['no number', '{"score": "high", "polarity": "positive"}'],
])('%s is refused and not cut to the scale', async (_title, reply) => {
  await expect(answering(reply).utility.analyzeSentiment('hm')).rejects.toMatchObject({ code: 'model_reply_invalid' });
});

test('a likeness of another scale is refused, one that rounding moved is not', async () => {
  await expect(answering('{"similarityScore": 85}').utility.calculateSimilarity('a', 'b')).rejects.toMatchObject({
    code: 'model_reply_invalid',
  });
  expect(await answering('{"similarityScore": 1.0000000002}').utility.calculateSimilarity('a', 'b')).toBe(1);
});

test('classes are known in any case, and a list of one is that one', async () => {
  const of = (reply: object, multiLabel = false) =>
    answering(JSON.stringify(reply)).utility.classifyText('x', { candidateClasses: ['Bug report', 'question'], multiLabel });
  expect(await of({ bestClass: 'bug_report', confidence: 0.9 })).toEqual({
    bestClass: 'Bug report',
    confidence: 0.9,
    allScores: [
      { classLabel: 'Bug report', score: 0.9 },
      { classLabel: 'question', score: 0 },
    ],
  });
  expect(await of({ bestClass: ['Question'], confidence: [0.7] })).toMatchObject({ bestClass: 'question', confidence: 0.7 });
  expect(await of({ bestClass: ['praise', 'QUESTION'], confidence: [0.2, 0.7] }, true)).toMatchObject({
    bestClass: ['question'],
    confidence: [0.7],
  });
  await expect(of({ bestClass: 'praise' })).rejects.toMatchObject({ code: 'model_reply_invalid' });
});

test('languages may come as bare tags', async () => {
  expect(
    await answering('{"languages": ["de", {"language": "nl", "confidence": 0.2}]}').utility.detectLanguage('x', { maxCandidates: 2 }),
  ).toEqual([
    { language: 'de', confidence: 0.5 },
    { language: 'nl', confidence: 0.2 },
  ]);
});
