import { type Commit, isAgentosError, type LaneScope } from '@x/core';
import { expect } from 'vitest';
import type { DurableStore } from '../src/durable-store.js';
import type { ScheduleRow } from '../src/schedule.js';

export interface DurableUnderTest {
  readonly store: DurableStore;
  /** Another handle on the same data. */
  again(): Promise<DurableStore>;
  close(): Promise<void>;
}

const ANNA: LaneScope = { persona: 'ava', user: 'anna', session: '1' };
const row = (nextDueMs: number, revision: number, more: Partial<ScheduleRow> = {}): ScheduleRow => ({
  nextDueMs,
  anchorMs: 0,
  failures: 0,
  revision,
  ...more,
});

export function said(turn: string, text: string, revision: number, more: Partial<Commit> = {}): Commit {
  return {
    revision,
    turn,
    operations: [
      { id: `${turn}-op`, operation: { put: 'last', value: text }, by: 'test', why: 'said', from: null, to: text, turn, atMs: revision },
    ],
    events: [],
    batches: { add: [], done: [] },
    conversation: { id: 'main', append: [{ id: turn, role: 'user', content: text, origin: 'user' }], blocks: [], stableHash: '' },
    ...more,
  };
}

async function codeOf(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    return isAgentosError(error) ? error.code : String(error);
  }
  return 'none';
}

/** What a store that outlives its process promises beyond `IAgentStore`. */
export const durableContract: readonly { readonly title: string; run(create: () => Promise<DurableUnderTest>): Promise<void> }[] = [
  ...cases({
    'a lease refuses older ones at once, over handles and restarts, before its first commit': async ({ store, again }) => {
      const first = await store.takeFence(ANNA);
      const second = await (await again()).takeFence(ANNA);
      expect(second).toBeGreaterThan(first);
      const lane = await store.open(ANNA, { initial: { mood: 'curious' } });
      expect((await lane.load('main')).state.mood).toBe('curious');
      expect(await codeOf(() => lane.commit(said('t1', 'late', 0, { fence: first })))).toBe('fence_stale');
      expect(await lane.commit(said('t1', 'now', 0, { fence: second }))).toEqual({ revision: 1 });
      const third = await store.takeFence(ANNA);
      expect(await codeOf(() => lane.commit(said('t2', 'late', 1, { fence: second })))).toBe('fence_stale');
      expect(await lane.commit(said('t2', 'now', 1, { fence: third }))).toEqual({ revision: 2 });
      expect((await lane.load('main')).state.mood).toBe('curious');
    },

    'what is forgotten is gone from every view, and the neighbours stay': async ({ store, again }) => {
      const scopes: readonly LaneScope[] = [ANNA, { ...ANNA, session: '2' }, { ...ANNA, user: 'annabel' }, { directory: '/ava' }];
      for (const scope of scopes) await (await store.open(scope)).commit(said('t1', 'secret', 0, { journal: ['secret'] }));
      for (const key of ['ava/anna/1', 'ava/anna/1#beat', 'ava/anna/11', 'other']) await store.schedule.set(key, row(5, 1));
      const seen = async (): Promise<readonly number[]> => {
        const handle = await again();
        return Promise.all(scopes.map(async (scope) => (await (await handle.open(scope)).load('main')).history.length));
      };
      const lane = await store.open(ANNA);
      const erasures = lane.erasures?.() ?? Number.NaN;
      await store.forget(ANNA);
      expect(await seen()).toEqual([0, 1, 1, 1]);
      expect(lane.erasures?.()).toBe(erasures + 1);
      expect([await lane.journal('t1'), (await lane.load('main', { original: true })).history, await lane.memory.get('last')]).toEqual([
        [],
        [],
        undefined,
      ]);
      for await (const entry of lane.operations()) expect(entry).toBe('nothing');
      expect(await store.schedule.get('ava/anna/1')).toBeUndefined();
      expect((await store.schedule.due({ nowMs: 10 })).map(({ key }) => key)).toEqual(['ava/anna/11', 'other']);
      expect(await lane.commit(said('t1', 'anew', 0))).toEqual({ revision: 1 });
      await store.forget({ persona: 'ava', user: 'anna' });
      expect(await seen()).toEqual([0, 0, 1, 1]);
      await store.forget({ directory: '/ava' });
      expect(await seen()).toEqual([0, 0, 1, 0]);
      await store.forget({ directory: '/nowhere' });
    },

    'forgetting a user takes what is due for sessions that never said anything': async ({ store }) => {
      const { schedule } = store;
      for (const key of ['ava/anna/new', 'ava/anna/new#beat', 'ava/anna/', 'ava/annabel/new', 'ava/an', 'eva/anna/new'])
        await schedule.set(key, row(1, 1));
      await store.forget({ persona: 'ava', user: 'anna' });
      expect((await schedule.due({ nowMs: 10 })).map(({ key }) => key)).toEqual(['ava/an', 'ava/annabel/new', 'eva/anna/new']);
      await store.forget({ persona: 'eva', user: 'anna', session: 'other' });
      expect(await schedule.get('eva/anna/new')).toEqual(row(1, 1));
    },

    'a schedule refuses what is no row': async ({ store: { schedule } }) => {
      for (const none of [null, undefined, 5])
        await expect(schedule.set('k', none as never)).rejects.toMatchObject({ code: 'invalid_argument' });
    },

    'a schedule keeps one row per key, and one of many writers wins': async ({ store, again }) => {
      const { schedule } = store;
      const other = (await again()).schedule;
      expect(await schedule.get('hb')).toBeUndefined();
      expect(await schedule.claim('hb', row(100, 1), 0)).toBe(true);
      expect(await other.claim('hb', row(200, 1), 0)).toBe(false);
      expect(await other.get('hb')).toEqual(row(100, 1));
      const running = row(100, 2, { lastDueMs: 50, running: { dueAtMs: 100, untilMs: 400 } });
      const tries = await Promise.all([schedule, other, schedule, other].map((one) => one.claim('hb', running, 1)));
      expect(tries.filter(Boolean)).toHaveLength(1);
      expect(await schedule.get('hb')).toEqual(running);
      await schedule.set('a', row(50, 1));
      await schedule.set('b', row(101, 1));
      expect((await other.due({ nowMs: 100 })).map(({ key }) => key)).toEqual(['a']);
      expect((await other.due({ nowMs: 400 })).map(({ key }) => key)).toEqual(['a', 'hb', 'b']);
      expect((await other.due({ nowMs: 400, limit: 1 })).map(({ key }) => key)).toEqual(['a']);
      await schedule.set('a', row(500, 7));
      expect(await other.get('a')).toEqual(row(500, 7));
      const more = { ...row(500, 8), done: ['k'], told: [{ key: 'k', atMs: 1 }] };
      expect(await schedule.claim('a', more, 7)).toBe(true);
      expect(await other.get('a')).toEqual(more);
      expect([await schedule.delete('a'), await schedule.delete('a')]).toEqual([true, false]);
      for (const bad of [row(Number.NaN, 1), row(1, 1.5), row(1, -1)])
        expect(['json_value_invalid', 'invalid_argument']).toContain(await codeOf(() => schedule.set('x', bad)));
      expect(await codeOf(() => schedule.set('', row(1, 1)))).toBe('invalid_argument');
      expect(await schedule.get('x')).toBeUndefined();
    },

    'a store that was closed says so': async ({ store }) => {
      const lane = await store.open(ANNA);
      await lane.commit(said('t1', 'x', 0));
      await store.close();
      await store.close();
      for (const use of [
        () => lane.load('main'),
        () => lane.commit(said('t2', 'y', 1)),
        () => store.takeFence(ANNA),
        () => store.schedule.get('a'),
      ])
        expect(await codeOf(use)).toBe('store_closed');
    },

    'many operations are read page by page, in order': async ({ store }) => {
      const lane = await store.open(ANNA);
      const entry = (n: number) => ({
        id: `op${n}`,
        operation: { put: 'n', value: n },
        by: 'test',
        why: 'count',
        from: null,
        to: n,
        turn: `t${n % 3}`,
        // Equal times: the order of the commits decides.
        atMs: Math.floor(n / 700),
      });
      const change = said('t', 'x', 0);
      for (const part of [0, 1, 2])
        await lane.commit({
          ...change,
          revision: part,
          turn: `t${part}`,
          operations: Array.from({ length: 500 }, (_, n) => entry(part * 500 + n)),
        });
      const all: unknown[] = [];
      for await (const { to } of lane.operations()) all.push(to);
      expect(all).toEqual(Array.from({ length: 1500 }, (_, n) => n));
      const late: unknown[] = [];
      for await (const { to } of lane.operations('op1498')) late.push(to);
      expect(late).toEqual([1499]);
    },

    'a fold in a long conversation shows what it says after a restart': async ({ store, again }) => {
      const lane = await store.open(ANNA);
      const message = (n: number) => ({ id: `m${n}`, role: 'user', content: `message ${n}`, origin: 'user' }) as const;
      const many = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => message(from + n));
      const talk = (append: readonly ReturnType<typeof message>[], replace?: readonly ReturnType<typeof message>[]) => ({
        conversation: { id: 'main', append, blocks: [], stableHash: '', ...(replace && { replace }) },
      });
      await lane.commit(said('t0', '', 0, talk(many(0, 700))));
      await lane.commit(said('t1', '', 1, talk(many(700, 1400))));
      await lane.commit(said('t2', '', 2, talk(many(1400, 1500))));
      const summary = message(99_999);
      await lane.commit(said('t3', '', 3, talk(many(1500, 1510), [summary, ...many(1300, 1410), ...many(1450, 1500)])));
      await lane.commit(said('t4', '', 4, talk(many(1510, 3000))));
      const reader = await (await again()).open(ANNA);
      expect((await reader.load('main')).history).toEqual([summary, ...many(1300, 1410), ...many(1450, 3000)]);
      expect((await reader.load('main', { original: true })).history).toEqual(many(0, 3000));
    },
  }),
];

function cases(all: { readonly [title: string]: (under: DurableUnderTest) => Promise<void> }): (typeof durableContract)[number][] {
  return Object.entries(all).map(([title, body]) => ({
    title,
    async run(create) {
      const under = await create();
      try {
        await body(under);
      } finally {
        await under.close();
      }
    },
  }));
}
