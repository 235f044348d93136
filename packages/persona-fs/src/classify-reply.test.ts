import { expect, test } from 'vitest';
import { classifyReply, holdsQuietToken } from './classify-reply.js';

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
  '```text\nHEARTBEAT_OK\n```',
  '[HEARTBEAT_OK](x)',
  '&lt;HEARTBEAT_OK&gt;',
  '<HEARTBEAT_OK>',
  '&nbsp;HEARTBEAT_OK',
  '&#72;EARTBEAT_OK',
  'assistant: HEARTBEAT_OK',
  'Final answer: HEARTBEAT_OK',
  '[09:00] HEARTBEAT_OK',
  'HEARTBEAT_OK (09:00)',
  '2026-03-02T09:00:00Z HEARTBEAT_OK',
  'HEARTBEAT_OKOK',
  'HEARTBEAT_OKHEARTBEAT_OK',
  '\u2066HEARTBEAT_OK\u2069',
  'HEARTBEAT_OK\uFE0F ✅',
  'HEARTBEAT_OK。',
  '|HEARTBEAT_OK|',
  '<think>Is the disk full? It is not.</think>\nHEARTBEAT_OK',
  '<think>HEARTBEAT_OK</think>',
  'Heartbeat check complete. HEARTBEAT_OK',
  'I checked the list; all quiet.',
  'I have checked HEARTBEAT.md and there is nothing to do.',
  'I reviewed the calendar and inbox. No new messages.',
  'Nothing to report.',
  '09:30: nothing to report',
  'Good morning! Nothing to report.',
  'No updates.',
  'All good!',
  '**All clear** 👍',
  'Everything is fine, nothing to do.',
  'There is nothing to do right now.',
  'No unread emails, no upcoming events. HEARTBEAT_OK',
  'Nothing urgent in inbox.',
  'The checklist has no open items. HEARTBEAT_OK',
  "It's late (23:15), staying quiet. HEARTBEAT_OK",
  'HEARTBEAT_OK<|im_end|>',
  '<|channel|>final<|message|>HEARTBEAT_OK<|end|>',
  "There's nothing that needs your attention at the moment.",
  'All quiet on my end.',
  'All systems normal.',
  'Nothing has changed since the last check.',
  'No tasks are due, so I will stay silent.',
  'No action needed. I will check again later.',
  'The checklist is empty.',
  'I checked my heartbeat checklist and everything is fine.',
  'No changes detected. Standing by.',
  'OK.',
  'No issues found.',
  'Status: all quiet at the 09:00 heartbeat',
  'HEARTBEAT_OK\n\n---\n_Checked at 09:00 UTC_',
  '1. HEARTBEAT_OK',
  'Ava: HEARTBEAT_OK',
  '**Inbox:** HEARTBEAT_OK\n**Kalender:** HEARTBEAT_OK',
  '1) Nothing to report.\n2) No unread emails.',
  'I went through it, and the disk is at 40 %.</think>\n\nHEARTBEAT_OK',
  'Is the disk full? No.\n</thinking>Nothing to report.',
  'No new messages since 14:05. All quiet.',
  'HEARTBEAT_OK (no new emails, no calendar events in the next 2h)',
  'No errors in the last 24 hours.',
  'Nothing requires attention.\n\nNO_REPLY',
  'NO_REPLY',
  '[SILENT]',
  'None.',
  'N/A',
  '👍',
  '✅ 💤',
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
  ['No reply from Bob yet', 'No reply from Bob yet'],
  ['I asked Bob. No reply.', 'I asked Bob. No reply.'],
  ['No backups since 14:05.', 'No backups since 14:05.'],
  ['Silent: the alarm of door 3', 'Silent: the alarm of door 3'],
  ['👍 🔥', '👍 🔥'],
  ['❗', '❗'],
  ['Fire: HEARTBEAT_OK', 'Fire:'],
  ['The oven is on: HEARTBEAT_OK', 'The oven is on:'],
  ['1. The disk is full', '1. The disk is full'],
  ['2. HEARTBEAT_OK\n3. The disk is full', '2. \n3. The disk is full'],
  ['🔥', '🔥'],
  ['NOT HEARTBEAT_OK', 'NOT'],
  ['HEARTBEAT_NOT_OK', 'HEARTBEAT_NOT_OK'],
  ['42', '42'],
  ['09:00', '09:00'],
  ['HEARTBEAT_OK 🚨', '🚨'],
  ['HEARTBEAT_OK 42', '42'],
  ['⚠️ HEARTBEAT_OK', '⚠'],
  ['HEARTBEAT_OKAY_FLAG is wrong', 'HEARTBEAT_OKAY_FLAG is wrong'],
  ['All good except the disk is full', 'All good except the disk is full'],
  ['All good, except the disk.', 'All good, except the disk.'],
  ['All quiet? The disk is full.', 'All quiet? The disk is full.'],
  ['Is everything ok?', 'Is everything ok?'],
  ['Everything is fine?', 'Everything is fine?'],
  ['All good 🚨', 'All good 🚨'],
  ['Not all good.', 'Not all good.'],
  ['All good things end: your trial is over today', 'All good things end: your trial is over today'],
  ['Nothing works any more.', 'Nothing works any more.'],
  ['No news from Bob since Monday.', 'No news from Bob since Monday.'],
  ['No backups since Monday.', 'No backups since Monday.'],
  ['No tasks done; no alerts sent', 'No tasks done; no alerts sent'],
  ['No heartbeat from server 3.', 'No heartbeat from server 3.'],
  ['There is no power.', 'There is no power.'],
  ['Nothing to report. Well, the oven is on.', 'Nothing to report. Well, the oven is on.'],
  ['I checked the list; the oven is on.', 'I checked the list; the oven is on.'],
  ['I checked the list.', 'I checked the list.'],
  ['Done.', 'Done.'],
  ['Good morning!', 'Good morning!'],
  ['All tasks done.', 'All tasks done.'],
  ['Everything is on fire', 'Everything is on fire'],
  ['Everything is quiet, too quiet', 'Everything is quiet, too quiet'],
  ['Nothing new, but rent is due.', 'Nothing new, but rent is due.'],
  ['No action needed yet, the certificate ends tomorrow', 'No action needed yet, the certificate ends tomorrow'],
];

test.each(QUIET)('%j is silent', (reply) => {
  expect(classifyReply(reply)).toEqual({ silent: true, text: '' });
});

test.each(HEARD)('%j is heard without the token', (reply, text) => {
  expect(classifyReply(reply)).toEqual({ silent: false, text });
});

test.each([
  'I checked the list; all quiet.',
  'Looked at the calendar, nothing before noon.',
  'The inbox holds 3 newsletters.',
  'No errors in the log, no warnings in the report.',
  'HEARTBEAT_OK',
  '',
])('after heartbeat_ok %j is silent', (reply) => {
  expect(classifyReply(reply, { decidedQuiet: true })).toEqual({ silent: true, text: '' });
});

test.each([
  ['ALERT: disk is full', 'ALERT: disk is full'],
  ['All quiet. The backup failed, though.', 'All quiet. The backup failed, though.'],
  ['HEARTBEAT_OK. Server 3 is not responding.', 'Server 3 is not responding.'],
  ['🚨', '🚨'],
  ['Two invoices are overdue', 'Two invoices are overdue'],
  ['Reminder: call mum', 'Reminder: call mum'],
])('after heartbeat_ok the alarm %j is heard all the same', (reply, text) => {
  expect(classifyReply(reply, { decidedQuiet: true })).toEqual({ silent: false, text });
});

test('a text that holds the token is told from one that holds a longer name', () => {
  for (const text of ['Beat ran, answered HEARTBEAT_OK', '`heartbeat_ok`', 'HEARTBEAT\\_OK.', 'x HEARTBEAT_OKOK']) {
    expect(holdsQuietToken(text)).toBe(true);
  }
  for (const text of ['MY_HEARTBEAT_OK_FLAG', 'the heartbeat is ok', '']) expect(holdsQuietToken(text)).toBe(false);
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
    'nothing '.repeat(20_000),
    'nothing to report now '.repeat(5_000),
    'i checked the list and '.repeat(5_000),
    'no new '.repeat(20_000),
    '&lt;'.repeat(30_000),
    '['.repeat(50_000),
    '[a]('.repeat(20_000),
    '<think>'.repeat(10_000),
    '12:30'.repeat(20_000),
    '2026-03-02 '.repeat(10_000),
    ' -'.repeat(50_000),
    ' '.repeat(100_000),
    'heartbeat_ok'.repeat(10_000),
  ])
    classifyReply(reply);
  expect(performance.now() - started).toBeLessThan(2_000);
});
