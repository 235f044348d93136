import type { PendingRequest } from '@x/agentos';
import { expect, test } from 'vitest';
import { answerInLine, hintFor } from './answer-in-line.js';

const approval: PendingRequest = { id: 'q', kind: 'approval', prompt: 'Pay?' };
const size: PendingRequest = { id: 'q', kind: 'question', prompt: 'Which size?', data: { choices: ['Small', 'Large', '7'] } };
const name: PendingRequest = { id: 'q', kind: 'question', prompt: 'Your name?' };
const login: PendingRequest = { id: 'q', kind: 'authorization', prompt: 'Log in.', url: 'https://example.org/login' };
const no = { id: 'q', ok: false, reason: 'declined' };

test.each<[PendingRequest, string, object]>([
  [approval, 'YES', { id: 'q', ok: true, value: true }],
  [approval, 'y', { id: 'q', ok: true, value: true }],
  [approval, 'n', no],
  [approval, '/no', no],
  [size, '2', { id: 'q', ok: true, value: 'Large' }],
  [size, 'small', { id: 'q', ok: true, value: 'Small' }],
  [size, '7', { id: 'q', ok: true, value: '7' }],
  [size, '/no', no],
  [name, ' Ada L. ', { id: 'q', ok: true, value: 'Ada L.' }],
  [name, 'no', { id: 'q', ok: true, value: 'no' }],
  [name, '/done', { id: 'q', ok: true, value: '/done' }],
  [login, '/done', { id: 'q', ok: true }],
  [login, '4711', { id: 'q', ok: true, value: '4711' }],
])('%j is answered by %j', (request, line, answer) => {
  expect(answerInLine(request, line)).toEqual(answer);
});

test.each<[PendingRequest, string]>([
  [approval, 'of course'],
  [size, '0'],
  [size, '4'],
  [size, '1.5'],
  [size, 'medium'],
])('%j is not answered by %j, and the error says what to type', (request, line) => {
  expect(() => answerInLine(request, line)).toThrow(expect.objectContaining({ code: 'answer_invalid', message: hintFor(request) }));
});

test('what to type is said for each kind of question', () => {
  expect([approval, size, name, login].map(hintFor)).toEqual([
    'Type yes or no.',
    'Type a number: 1 Small, 2 Large, 3 7; /no declines.',
    'Type the answer; /no declines.',
    'See https://example.org/login . Type the answer, or /done when it is done; /no declines.',
  ]);
});
