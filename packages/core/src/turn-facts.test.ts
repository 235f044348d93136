import { expect, test } from 'vitest';
import { answerTurnId, isStrangersTurn, laneKey, type Sender, type Stored } from './index.js';

const input = (sender?: Sender): Stored => ({ id: 'm1', role: 'user', origin: 'user', content: 'Hello.', ...(sender && { sender }) });
const directory = laneKey({ directory: '/ava' });

test('a stranger is who speaks in a directory and does not own it', () => {
  expect(isStrangersTurn({ lane: directory, input: input({ id: 'bob', owner: false }) })).toBe(true);
  expect(isStrangersTurn({ lane: directory, input: input({ id: 'ann', owner: true }) })).toBe(false);
  expect(isStrangersTurn({ lane: directory, input: input() })).toBe(false);
});

test('in a lane of their own nobody is a stranger, whatever the persona is called', () => {
  const lane = laneKey({ persona: 'dir:x', user: 'bob', session: 's' });
  expect(isStrangersTurn({ lane, input: input({ id: 'bob', owner: false }) })).toBe(false);
});

test('a turn that goes on after an answer has an id of its own', () => {
  expect(answerTurnId('turn-1', 'answer-1')).toBe('turn-1:answer-1');
});
