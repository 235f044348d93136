import type { Json, PendingRequest } from '@x/agentos';
import { expect, test } from 'vitest';
import { type AnswerForm, answerTo, formOf, inWords } from './answer-form.js';

const asks = (kind: string, more: Partial<PendingRequest> = {}): PendingRequest => ({ id: 'q1', kind, prompt: 'Well?', ...more });
const TEXT: AnswerForm = { kind: 'text', mayBeEmpty: false };

test.each<[string, PendingRequest, AnswerForm]>([
  ['an approval', asks('approval'), { kind: 'yes-no' }],
  ['a confirmation', asks('confirm', { data: { trait: 'openness', delta: 0.1 } }), { kind: 'yes-no' }],
  ['a question', asks('question'), TEXT],
  ['a kind of the host', asks('x'), TEXT],
  ['an authorization', asks('authorization', { url: 'https://example.org' }), { kind: 'text', mayBeEmpty: true }],
  ['choices', asks('approval', { data: { choices: ['small', 'large', 'small'] } }), { kind: 'choices', choices: ['small', 'large'] }],
])('%s is answered in its own way', (_title, request, form) => {
  expect(formOf(request)).toEqual(form);
});

test.each<[Json]>([[null], [['a']], [{ choices: [] }], [{ choices: ['a', 2] }], [{ choices: 'a' }], ['a']])(
  'data %j has no choices',
  (data) => expect(formOf(asks('question', { data }))).toEqual(TEXT),
);

test('a word of a human becomes the answer that the question wants', () => {
  expect(answerTo(asks('approval'), { ok: true, value: 'whatever' })).toEqual({ id: 'q1', ok: true, value: true });
  expect(answerTo(asks('approval'), { ok: false })).toEqual({ id: 'q1', ok: false, reason: 'declined' });
  expect(answerTo(asks('question'), { ok: true, value: ' blue\n' })).toEqual({ id: 'q1', ok: true, value: 'blue' });
  expect(answerTo(asks('x', { url: 'https://example.org' }), { ok: true })).toEqual({ id: 'q1', ok: true });
  expect(answerTo(asks('x', { data: { choices: ['a', 'b'] } }), { ok: true, value: 'b' })).toEqual({ id: 'q1', ok: true, value: 'b' });
});

test.each<[PendingRequest, { ok: unknown; value?: unknown }]>([
  [asks('approval'), { ok: 'yes' }],
  [asks('approval'), { ok: undefined }],
  [asks('question'), { ok: true, value: '  ' }],
  [asks('question'), { ok: true, value: 7 }],
  [asks('question'), { ok: true, value: 'x'.repeat(20_001) }],
  [asks('x', { data: { choices: ['a', '7'] } }), { ok: true, value: 7 }],
  [asks('x', { data: { choices: ['a', 'b'] } }), { ok: true, value: 'c' }],
])('%j is not answered with %j', (request, said) => {
  expect(() => answerTo(request, said)).toThrow(expect.objectContaining({ code: 'answer_invalid' }));
});

test('an answer is told in words', () => {
  expect([
    inWords({ id: 'q', ok: true, value: true }),
    inWords({ id: 'q', ok: false, reason: 'declined' }),
    inWords({ id: 'q', ok: true }),
    inWords({ id: 'q', ok: true, value: 'blue' }),
  ]).toEqual(['yes', 'declined', 'done', 'blue']);
});
