import type { IAgentStore, ITool, LaneScope } from '@x/core';
import type pg from 'pg';
import { expectTypeOf, test } from 'vitest';
import type { Delivery, DurableStore, RunningEngine, Schedule, ScheduleRow, TurnEngine } from './index.js';
import { createLocalEngine, journaledTools } from './index.js';
import type { PgBossEngine } from './pg-boss/index.js';
import { type PgPool, type PostgresStore, postgresStore } from './postgres/index.js';
import { sqliteStore } from './sqlite/index.js';

/** What persona-fs's heartbeat asks of a schedule. */
interface BeatRow {
  readonly nextDueMs: number;
  readonly lastDueMs?: number | undefined;
  readonly anchorMs: number;
  readonly failures: number;
  readonly revision: number;
  readonly running?: { readonly dueAtMs: number; readonly untilMs: number } | undefined;
  readonly done?: readonly string[] | undefined;
  readonly told?: readonly { readonly key: string; readonly atMs: number }[] | undefined;
}
interface BeatPort {
  get(key: string): BeatRow | undefined | Promise<BeatRow | undefined>;
  set(key: string, row: BeatRow): void | Promise<void>;
  claim?(key: string, row: BeatRow, expected: number): boolean | Promise<boolean>;
}

test('both stores are agent stores that outlive their process', () => {
  expectTypeOf(sqliteStore).returns.toEqualTypeOf<DurableStore>();
  expectTypeOf<DurableStore>().toExtend<IAgentStore>();
  expectTypeOf<PostgresStore>().toExtend<DurableStore>();
  expectTypeOf(postgresStore).returns.toEqualTypeOf<PostgresStore>();
  expectTypeOf<pg.Pool>().toExtend<PgPool>();
});

test('a schedule fits the heartbeat of a persona directory as it is', () => {
  expectTypeOf<Schedule>().toExtend<BeatPort>();
  expectTypeOf<BeatRow>().toExtend<ScheduleRow>();
});

test('one lane or all sessions of a user can be forgotten, nothing wider', () => {
  expectTypeOf<LaneScope>().toExtend<Parameters<DurableStore['forget']>[0]>();
  expectTypeOf<{ persona: string; user: string }>().toExtend<Parameters<DurableStore['forget']>[0]>();
  expectTypeOf<{ persona: string }>().not.toExtend<Parameters<DurableStore['forget']>[0]>();
});

test('both engines are one port of six methods', () => {
  expectTypeOf<keyof TurnEngine>().toEqualTypeOf<'enqueueTurn' | 'schedule' | 'cancel' | 'fence' | 'journalStep' | 'listBlocked'>();
  expectTypeOf<PgBossEngine>().toExtend<RunningEngine>();
  expectTypeOf(createLocalEngine).returns.toEqualTypeOf<RunningEngine>();
});

test('journaled tools are tools', () => {
  expectTypeOf(journaledTools<ITool>).returns.toEqualTypeOf<readonly ITool[]>();
  expectTypeOf<Delivery['queue']>().toEqualTypeOf<'turns' | 'batches'>();
});
