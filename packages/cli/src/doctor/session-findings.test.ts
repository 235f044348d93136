import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemorySchedule, createMemoryStore, type LaneStore, type Parked } from '@x/agentos';
import { createScriptedModel } from '@x/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPersona } from '../create-persona.js';
import { openReports } from '../inspector/kept-reports.js';
import { createSessionBook } from '../inspector/session-book.js';
import { createSessionIndex, type SessionRow } from '../inspector/session-index.js';
import { personas } from '../personas.js';
import { sessionFindings } from './session-findings.js';

const NOW_MS = Date.UTC(2026, 0, 2);
let parent = '';
let dir = '';
let store = createMemoryStore();
let schedule = createMemorySchedule();
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'x-blocked-'));
  dir = createPersona(join(parent, 'ava'));
  store = createMemoryStore();
  schedule = createMemorySchedule();
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const faults = async () =>
  (await sessionFindings(dir, { store: { open: store.open, schedule }, nowMs: NOW_MS })).filter(({ severity }) => severity !== 'ok');

/** A session of the folder, with one turn. */
async function talked(): Promise<SessionRow> {
  const model = createScriptedModel(['Hello.'], { atEnd: 'repeat' });
  const endpoint = { model, offline: true, description: '', close: async () => undefined };
  const book = createSessionBook({ store, endpoint, personas, dir });
  const session = await book.get((await book.create('folder'))?.id ?? '');
  await session?.say('Hello?', () => undefined, new AbortController().signal);
  await book.close();
  const [row] = await createSessionIndex(store).rows();
  if (!row) throw new Error('no row');
  return row;
}
async function commit(lane: LaneStore, conversation: string, change: { parked?: Parked; batch?: string }): Promise<void> {
  const { revision, events, blocks, stableHash = '' } = await lane.load(conversation);
  await lane.commit({
    revision,
    turn: 'turn-stuck',
    operations: [],
    events,
    batches: { add: change.batch ? [{ id: change.batch, turn: 'turn-stuck', by: 'metaprompt', items: [] }] : [], done: [] },
    conversation: { id: conversation, append: [], blocks, stableHash, ...(change.parked && { parked: change.parked }) },
  });
}
const parkedOn = (prompt: string): Parked => ({
  turn: 'turn-stuck',
  current: [],
  callId: 'call_1',
  request: { id: 'q1', kind: 'approval', prompt },
});

test('a file without sessions of the folder, and sessions that are well, are no fault', async () => {
  expect(await faults()).toEqual([]);
  await talked();
  expect(await faults()).toEqual([]);
});

test('a talk that waits for a human is an error that says how to go on', async () => {
  const { id } = await talked();
  await commit(await store.open({ directory: dir }), id, { parked: parkedOn('May I send it?') });
  expect(await faults()).toEqual([
    { severity: 'error', what: expect.stringContaining(id), fix: expect.stringContaining('session.resume') },
  ]);
});

test('background work that nobody has done is a warning', async () => {
  const { id } = await talked();
  await commit(await store.open({ directory: dir }), id, { batch: 'batch-1' });
  expect(await faults()).toEqual([
    { severity: 'warning', what: expect.stringContaining('metaprompt'), fix: expect.stringContaining('agentos dev') },
  ]);
});

test('a heartbeat that failed, was cut off, or is overdue is told with what to do', async () => {
  const row = { nextDueMs: NOW_MS + 1_000, anchorMs: 0, failures: 0, revision: 1 };
  await schedule.set(`dir:${dir}`, { ...row, failures: 3 });
  expect(await faults()).toMatchObject([{ severity: 'warning', what: expect.stringContaining('3 beats') }]);
  await schedule.set(`dir:${dir}`, { ...row, running: { dueAtMs: 0, untilMs: NOW_MS - 1 } });
  expect(await faults()).toMatchObject([{ severity: 'warning', what: expect.stringContaining('never ended') }]);
  await schedule.set(`dir:${dir}`, { ...row, nextDueMs: NOW_MS - 86_400_000 });
  expect(await faults()).toMatchObject([
    { severity: 'warning', what: expect.stringContaining('2026-01-01'), fix: expect.stringContaining('agentos run') },
  ]);
});

test('a beat that waits for a human is an error', async () => {
  const dueAtMs = NOW_MS - 60_000;
  await schedule.set(`dir:${dir}`, { nextDueMs: NOW_MS + 1_000, lastDueMs: dueAtMs, anchorMs: 0, failures: 0, revision: 1 });
  await commit(await store.open({ directory: dir }), `dir:${dir}@${dueAtMs}`, { parked: parkedOn('May I?') });
  expect(await faults()).toMatchObject([{ severity: 'error', what: expect.stringContaining('beat') }]);
});

test('cache breaks are counted by their cause; the first request and a fold are none', async () => {
  const row = await talked();
  const reports = await openReports(store, row);
  const [made] = await reports.all();
  if (!made) throw new Error('no report');
  const prefixes = [
    { step: 0, stability: 0.4, cachedShare: 0.3, break: 'reload' },
    { step: 0, stability: 0.4, cachedShare: 0.3, break: 'reload' },
    { step: 0, stability: 0.4, cachedShare: 0.3, break: 'fold' },
    { step: 0, stability: 0.9, cachedShare: 0.8 },
    { step: 0, stability: 1, cachedShare: 0.9 },
  ] as const;
  for (const [index, figures] of prefixes.entries())
    await reports.add({ ...made, id: `turn-${index}`, turn: index + 2, prefix: [figures] });
  expect(await faults()).toEqual([
    { severity: 'warning', what: expect.stringMatching(/2 requests.*turn 3.*soul/s), fix: expect.stringContaining('between sessions') },
    { severity: 'warning', what: expect.stringMatching(/1 request.*turn 5/s), fix: expect.stringContaining('agentos replay') },
  ]);
});
