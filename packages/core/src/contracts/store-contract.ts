import type { Json } from '../json.js';
import { logOperations } from '../log-operations.js';
import type { Stored } from '../messages.js';
import type { Logged, Operation } from '../operations.js';
import type { AgentState } from '../state.js';
import type { Commit, IAgentStore, LaneScope, LaneStore, Snapshot } from '../store.js';
import type { Batch } from '../turn.js';
import { type ContractCase, failsWith, same } from './contract.js';
import { storeEdgeCases } from './store-edge-cases.js';
import { storeLogCases } from './store-log-cases.js';
import { storeMemoryCases } from './store-memory-cases.js';

/** A store under test, and how to close and open it again; without `reopen` the cases about restarts are left out. */
export interface StoreUnderTest {
  readonly store: IAgentStore;
  /** A second handle on the same data, as another process would get. */
  reopen?(): Promise<IAgentStore>;
  close?(): Promise<void>;
}

const ANNA: LaneScope = { persona: 'tutor', user: 'anna', session: 's1' };

/**
 * What every `IAgentStore` must do. Give each case to your test runner:
 * `for (const { title, run } of storeContract(create)) test(title, run);`
 *
 * @param create - Makes an empty store; called once per case.
 */
export function storeContract(create: () => Promise<StoreUnderTest>): readonly ContractCase[] {
  const cases: ContractCase[] = [];
  const add = (title: string, body: (under: StoreUnderTest, lane: LaneStore) => Promise<void>): void => {
    const run = async (): Promise<void> => {
      const under = await create();
      try {
        await body(under, await under.store.open(ANNA));
      } finally {
        await under.close?.();
      }
    };
    cases.push({ title, run });
  };

  add('a lane without commits is empty, with the default state', async (_, lane) => {
    same(await lane.load('main'), EMPTY, 'first snapshot');
  });

  add('the initial state holds until the first commit and is kept by it', async ({ store }) => {
    const scope: LaneScope = { persona: 'p', user: 'u', session: 's' };
    const lane = await store.open(scope, { initial: { mood: 'curious', traits: { openness: 0.7 } } });
    same((await lane.load('main')).state.mood, 'curious', 'before the first commit');
    await lane.commit(change(await lane.load('main'), 't1', [{ set: 'skill', to: 'expert' }]));
    const again = await store.open(scope, { initial: { mood: 'creative' } });
    const { state } = await again.load('main');
    same([state.mood, state.skill, state.traits], ['curious', 'expert', { openness: 0.7 }], 'after it');
  });

  add('a commit keeps state, transcript, notes, events, batches and hash together', async (_, lane) => {
    const result = await lane.commit(full(await lane.load('main')));
    same(result.revision, 1, 'revision');
    const snapshot = await lane.load('main');
    same(snapshot.history, [HELLO, REPLY], 'history');
    same([snapshot.state.mood, snapshot.state.values, snapshot.state.imprints], ['empathetic', { n: 1 }, { pet: 'cat' }], 'state');
    same(
      [snapshot.blocks, snapshot.stableHash, snapshot.transcriptRevision],
      [[{ before: 'm1', part: 'state', text: 'x' }], 'h1', 1],
      'conversation',
    );
    same([snapshot.events.length, snapshot.batches], [1, [BATCH]], 'events and batches');
    same(await lane.journal('t1'), [{ step: 0 }], 'journal');
  });

  add('the same turn committed twice counts once', async (_, lane) => {
    const commit = full(await lane.load('main'));
    await lane.commit(commit);
    same(await lane.commit(commit), { revision: 1 }, 'second commit');
    same((await lane.load('main')).history.length, 2, 'messages');
    same((await all(lane.operations())).length, 3, 'operations');
  });

  add('a commit on an old revision changes nothing', async (_, lane) => {
    const start = await lane.load('main');
    await lane.commit(change(start, 't1', [{ set: 'mood', to: 'focused' }]));
    await failsWith('revision_conflict', () => lane.commit({ ...full(start), turn: 't2' }), 'stale commit');
    const { state, history, revision } = await lane.load('main');
    same([state.mood, history.length, revision], ['focused', 0, 1], 'after it');
    same((await all(lane.operations())).length, 1, 'operations');
  });

  add('a commit with one refused operation changes nothing', async (_, lane) => {
    const start = await lane.load('main');
    const commit = full(start);
    const bad = { ...commit.operations[0], id: 'bad', operation: { set: 'mood', to: 'helpful' } } as Logged;
    await failsWith('operation_refused', () => lane.commit({ ...commit, operations: [...commit.operations, bad] }), 'refused commit');
    same(await lane.load('main'), EMPTY, 'after it');
  });

  add('a value that JSON cannot keep is refused and changes nothing', async (_, lane) => {
    const start = await lane.load('main');
    const commit = { ...full(start), journal: [{ at: Number.NaN }] as Json[] };
    await failsWith('json_value_invalid', () => lane.commit(commit), 'NaN in the journal');
    for (const operation of [{ put: 'note' }, { imprint: 'note' }]) {
      const without = { ...full(start).operations[0], id: 'without', operation } as unknown as Logged;
      const refused = { ...full(start), operations: [...full(start).operations, without] };
      await failsWith('json_value_invalid', () => lane.commit(refused), `${JSON.stringify(operation)} without a value`);
    }
    same(await lane.load('main'), EMPTY, 'after it');
  });

  add('of commits racing on one revision exactly one wins', async (_, lane) => {
    const start = await lane.load('main');
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, (_unused, n) => lane.commit(change(start, `t${n}`, [{ put: 'winner', value: n }]))),
    );
    same(tries.filter(({ status }) => status === 'fulfilled').length, 1, 'winners');
    same((await lane.load('main')).revision, 1, 'revision');
  });

  add('a commit with a lease that is over is refused', async (_, lane) => {
    await lane.commit({ ...change(await lane.load('main'), 't1', []), fence: 2 });
    const next = await lane.load('main');
    await failsWith('fence_stale', () => lane.commit({ ...change(next, 't2', []), fence: 1 }), 'stale lease');
    same((await lane.commit({ ...change(next, 't3', []), fence: 2 })).revision, 2, 'current lease');
  });

  add('a replaced history keeps the original beside it', async (_, lane) => {
    await lane.commit(full(await lane.load('main')));
    const summary = message('s1', 'user', 'summary', 'synthetic');
    const folded: Commit = {
      ...change(await lane.load('main'), 't2', []),
      conversation: { id: 'main', replace: [summary], append: [THIRD], blocks: [], stableHash: 'h1' },
    };
    await lane.commit(folded);
    same((await lane.load('main')).history, [summary, THIRD], 'history');
    same((await lane.load('main', { original: true })).history, [HELLO, REPLY, THIRD], 'original');
  });

  add('conversations of one lane share state and nothing else', async (_, lane) => {
    await lane.commit(full(await lane.load('main')));
    const other = await lane.load('other');
    same(
      [other.state.mood, other.history, other.blocks, other.transcriptRevision, other.revision],
      ['empathetic', [], [], 0, 1],
      'other conversation',
    );
  });

  add('lanes of other users, personas and sessions see nothing', async ({ store }, lane) => {
    await lane.commit(full(await lane.load('main')));
    const strangers: LaneScope[] = [
      { ...ANNA, user: 'bob' },
      { ...ANNA, persona: 'other' },
      { ...ANNA, session: 's2' },
      { persona: 'tutor/anna', user: 's1', session: '' },
      { directory: 'tutor/anna/s1' },
    ];
    for (const scope of strangers) same(await (await store.open(scope)).load('main'), EMPTY, JSON.stringify(scope));
  });

  add('operations are read in order, from a point, and over the sessions of one user', async ({ store }, lane) => {
    await lane.commit(
      change(
        await lane.load('main'),
        't1',
        [
          { put: 'a', value: 1 },
          { put: 'b', value: 2 },
        ],
        10,
      ),
    );
    const second = await store.open({ ...ANNA, session: 's2' });
    await second.commit(change(await second.load('main'), 't1', [{ put: 'c', value: 3 }], 20));
    const bob = await store.open({ ...ANNA, user: 'bob' });
    await bob.commit(change(await bob.load('main'), 't1', [{ put: 'd', value: 4 }], 30));
    const names = (entries: readonly Logged[]) => entries.map(({ operation }) => ('put' in operation ? operation.put : '?'));
    same(names(await all(lane.operations())), ['a', 'b'], 'this session');
    same(names(await all(lane.operations('t1-0'))), ['b'], 'after the first');
    same(names(await all(lane.operations(undefined, { sessions: 'all' }))), ['a', 'b', 'c'], 'all sessions');
  });

  add('a batch leaves when it is done, and only then', async (_, lane) => {
    await lane.commit(full(await lane.load('main')));
    const start = await lane.load('main');
    await lane.commit({
      ...change(start, BATCH.id, [{ set: 'skill', to: 'expert' }]),
      batches: { add: [], done: [BATCH.id] },
      events: start.events,
    });
    const { batches, state, history } = await lane.load('main');
    same([batches, state.skill, history.length], [[], 'expert', 2], 'after the batch');
  });

  add('a parked turn is kept until a commit without one', async (_, lane) => {
    const parked = { turn: 't1', current: [HELLO], callId: 'c1', request: { id: 'r1', kind: 'approval', prompt: 'May I?' } };
    const conversation = { id: 'main', append: [], blocks: [], stableHash: 'h' };
    await lane.commit({ ...change(await lane.load('main'), 'park', []), conversation: { ...conversation, parked } });
    same((await lane.load('main')).parked, parked, 'parked');
    await lane.commit({ ...change(await lane.load('main'), 'resume', []), conversation });
    same((await lane.load('main')).parked, undefined, 'after');
  });

  add('what was handed in or out can be changed without effect', async (_, lane) => {
    const value = { list: [1] };
    await lane.commit(change(await lane.load('main'), 't1', [{ put: 'mine', value }]));
    value.list.push(2);
    const { state } = await lane.load('main');
    try {
      (state.values['mine'] as { list: number[] }).list.push(3);
    } catch {
      // A store may hand out frozen values.
    }
    same((await lane.load('main')).state.values['mine'], { list: [1] }, 'stored value');
  });

  add('what a lane without commits hands out can be changed without effect', async ({ store }, lane) => {
    const { state } = await lane.load('main');
    for (const field of ['values', 'traits', 'imprints'] as const) {
      try {
        (state[field] as { [key: string]: Json })['hacked'] = 1;
      } catch {
        // A store may hand out frozen values.
      }
    }
    same(await lane.load('main'), EMPTY, 'the lane itself');
    same(await (await store.open({ ...ANNA, user: 'bob' })).load('main'), EMPTY, 'the lane of another user');
  });

  add("the initial state is copied, and the host's own object stays its own", async ({ store }) => {
    const traits = { openness: 0.7 };
    const lane = await store.open(
      { ...ANNA, user: 'carl' },
      { initial: { traits, mood: undefined } as { readonly traits: typeof traits } },
    );
    traits.openness = 0.1;
    same((await lane.load('main')).state.traits, { openness: 0.7 }, 'before the first commit');
    await lane.commit(change(await lane.load('main'), 't1', [{ put: 'a', value: 1 }]));
    same((await lane.load('main')).state.traits, { openness: 0.7 }, 'after it');
    same((await lane.load('main')).state.mood, 'neutral', 'a field that is undefined');
    same(Object.isFrozen(traits), false, 'frozen');
  });

  add('a second handle on the same data sees all of it', async ({ reopen }, lane) => {
    if (!reopen) return;
    await lane.commit(full(await lane.load('main')));
    const again = await (await reopen()).open(ANNA);
    same(await again.load('main'), await lane.load('main'), 'snapshot');
    same(await all(again.operations()), await all(lane.operations()), 'operations');
    same((await again.load('main', { original: true })).history.length, 2, 'original');
    same(await again.journal('t1'), [{ step: 0 }], 'journal');
  });

  for (const { title, body } of [...storeEdgeCases, ...storeLogCases, ...storeMemoryCases]) add(title, body);
  return cases;
}

const EMPTY: Snapshot = {
  revision: 0,
  state: { mood: 'neutral', skill: 'novice', complexity: 'moderate', traits: {}, imprints: {}, values: {} },
  events: [],
  batches: [],
  transcriptRevision: 0,
  history: [],
  blocks: [],
};
const HELLO = message('m1', 'user', 'Hello 👋', 'user');
const REPLY = message('m2', 'assistant', 'Hi.', 'assistant');
const THIRD = message('m3', 'user', 'More', 'user');
const BATCH: Batch = { id: 'b1', turn: 't1', by: 'metaprompt', items: [{ id: 'gmi_frustration_recovery', because: 'user_frustrated' }] };

function message(id: string, role: Stored['role'], content: string, origin: Stored['origin']): Stored {
  return { id, role, content, origin };
}

function change(
  { revision, state, events }: { readonly revision: number; readonly state: AgentState; readonly events: Snapshot['events'] },
  turn: string,
  operations: readonly Operation[],
  atMs = 1,
): Commit {
  let count = 0;
  const { logged } = logOperations(state, operations, { by: 'test', why: 'contract', turn, atMs }, () => `${turn}-${count++}`);
  return { revision, turn, operations: logged, events, batches: { add: [], done: [] } };
}

function full(snapshot: Snapshot): Commit {
  const event = {
    eventType: 'user_frustrated',
    timestamp: '2026-01-01T00:00:00.000Z',
    turnId: 't1',
    severity: 'high',
    metadata: { score: -0.9 },
  } as const;
  return {
    ...change(snapshot, 't1', [
      { set: 'mood', to: 'empathetic' },
      { put: 'n', value: 1 },
      { imprint: 'pet', value: 'cat' },
    ]),
    events: [event],
    batches: { add: [BATCH], done: [] },
    conversation: { id: 'main', append: [HELLO, REPLY], blocks: [{ before: 'm1', part: 'state', text: 'x' }], stableHash: 'h1' },
    journal: [{ step: 0 }],
  };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
