import { expect, test } from 'vitest';
import { exportTurn } from './export-turn.js';
import type { KeptReport } from './kept-reports.js';

const report: KeptReport = {
  id: 't1',
  atMs: 0,
  turn: 3,
  user: '<b>Pay</b>',
  status: 'done',
  score: null,
  evidence: [],
  events: [],
  fired: [],
  stateBefore: { mood: 'neutral', skill: 'novice', complexity: 'moderate' },
  stateAfter: { mood: 'neutral', skill: 'novice', complexity: 'moderate' },
  changes: [],
  elements: { inPrompt: [], entered: [], left: [] },
  prefix: [],
  inputTokens: 1,
  outputTokens: 2,
  costUsd: 0,
  tools: [{ id: 'c1', name: 'pay', output: 'It is <i>paid</i>.', isError: false }],
  reply: 'Done.',
};
const view = { turn: 't1', lines: [], gone: [], replies: 1 };
/** The cells of a row of the page, as they are written. */
const row = (page: string, name: string) => new RegExp(`<tr><th>${name}</th><td[^>]*>(.*?)</td></tr>`).exec(page)?.[1];

test('a turn that was answered is exported with its question, the answer and what its tools gave, all of it as text', () => {
  const answered = { id: 'q1', tool: 'pay', prompt: 'Pay <b>12</b>?', said: 'yes', atMs: 0 };
  const page = exportTurn({ ...report, answers: [answered] }, view);
  expect(row(page, 'User')).toBe('&#60;b&#62;Pay&#60;/b&#62;');
  expect(row(page, 'pay asked')).toBe('Pay &#60;b&#62;12&#60;/b&#62;? → yes');
  expect(row(page, 'Tool pay')).toBe('It is &#60;i&#62;paid&#60;/i&#62;.');
  expect(row(page, 'Reply')).toBe('Done.');
  expect(page).not.toContain('<script');
});

test('a turn that waits is exported with its open question and without a reply', () => {
  const page = exportTurn({ ...report, status: 'pending', askedBy: 'pay', reply: 'Pay?', tools: [] }, view);
  expect(row(page, 'pay asks')).toBe('Pay?');
  expect(row(page, 'Reply')).toBeUndefined();
});

test('a report that an earlier build kept has no status and no tools, and is exported all the same', () => {
  const { status: _, tools: __, ...old } = report;
  expect(row(exportTurn(old as KeptReport, view), 'Reply')).toBe('Done.');
});
