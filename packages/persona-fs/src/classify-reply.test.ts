import { expect, test } from 'vitest';
import { classifyReply } from './classify-reply.js';

const QUIET = [
  'HEARTBEAT_OK',
  '  heartbeat_ok \n',
  '`HEARTBEAT_OK`',
  '**HEARTBEAT_OK**',
  '__HEARTBEAT_OK__',
  '*HEARTBEAT_OK.*',
  'HEARTBEAT_OK.',
  'HEARTBEAT_OK!',
  '"HEARTBEAT_OK"',
  '“HEARTBEAT_OK”',
  'HEARTBEAT\\_OK',
  'HEARTBEAT-OK',
  'Heartbeat OK',
  'HEARTBEAT_OK_OK_OK',
  'HEARTBEAT_OK HEARTBEAT_OK',
  '```\nHEARTBEAT_OK\n```',
  '<b>HEARTBEAT_OK</b>',
  '{"status": "HEARTBEAT_OK"}',
  '\u200BHEARTBEAT_OK\uFEFF',
  'ＨＥＡＲＴＢＥＡＴ＿ＯＫ',
  'HEARTBEAT_OK 👍',
  'All quiet. HEARTBEAT_OK',
  'Nothing to report. HEARTBEAT_OK',
  'HEARTBEAT_OK - there are no pending tasks right now.',
  'I have nothing to report at this time: HEARTBEAT_OK',
  '',
  ' \n\t',
  '...',
  '—',
];

const HEARD: readonly (readonly [string, string])[] = [
  ['HEARTBEAT_OK but the disk is full', 'but the disk is full'],
  ['The disk is full. HEARTBEAT_OK', 'The disk is full.'],
  ['I will not answer HEARTBEAT_OK because the disk is full', 'I will not answer because the disk is full'],
  ['MY_HEARTBEAT_OK_FLAG is set', 'MY_HEARTBEAT_OK_FLAG is set'],
  ['All quiet, except that the oven is on. HEARTBEAT_OK', 'All quiet, except that the oven is on.'],
  ['**HEARTBEAT_OK**\n\nYour sync is at 15:00.', 'Your sync is at 15:00.'],
  ['The heartbeat ok signal of server 3 is gone', 'The heartbeat ok signal of server 3 is gone'],
  ['HEARTBEAT_OK? No: the backup failed.', 'No: the backup failed.'],
  ['Reminder: 3pm sync', 'Reminder: 3pm sync'],
  ['🔥', '🔥'],
  ['NOT HEARTBEAT_OK', 'NOT'],
  ['HEARTBEAT_NOT_OK', 'HEARTBEAT_NOT_OK'],
  ['42', '42'],
];

test.each(QUIET)('%j is silent', (reply) => {
  expect(classifyReply(reply)).toEqual({ silent: true, text: '' });
});

test.each(HEARD)('%j is heard without the token', (reply, text) => {
  expect(classifyReply(reply)).toEqual({ silent: false, text });
});

test('judging twice gives the same answer', () => {
  for (const reply of [...QUIET, ...HEARD.map(([text]) => text)]) expect(classifyReply(reply)).toEqual(classifyReply(reply));
});

test('a long reply is judged in a moment', () => {
  const started = performance.now();
  for (const reply of [
    'heartbeat_ok '.repeat(20_000),
    `HEARTBEAT_OK ${'nothing to report '.repeat(10_000)}`,
    '<a'.repeat(50_000),
    '_'.repeat(100_000),
  ])
    classifyReply(reply);
  expect(performance.now() - started).toBeLessThan(2_000);
});
