import { logOperations } from '../log-operations.js';
import type { Logged, Operation, OperationKind } from '../operations.js';
import type { IAgentStore, LaneScope, LaneStore } from '../store.js';
import { failsWith, same } from './contract.js';

const ANNA: LaneScope = { persona: 'tutor', user: 'anna', session: 's1' };

const put = (lane: LaneStore, name: string, atMs: number): Promise<void> => commit(lane, name, { put: name, value: atMs }, atMs);

/** Commits an operation in a turn of this name, as the only thing in it; it is called `<name>-0`. */
async function commit(lane: LaneStore, name: string, operation: Operation, atMs = 1): Promise<void> {
  const { revision, state, events } = await lane.load('main');
  const cause = { by: 'test', why: 'contract', turn: name, atMs };
  const { logged } = logOperations(state, [operation], cause, () => `${name}-0`);
  await lane.commit({ revision, turn: name, operations: logged, events, batches: { add: [], done: [] } });
}

async function all(items: AsyncIterable<Logged>): Promise<readonly Logged[]> {
  const list: Logged[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function turns(items: AsyncIterable<Logged>): Promise<readonly string[]> {
  return (await all(items)).map(({ turn }) => turn);
}

/** How the log is read: in the order of the commits, from a point on, and only from one that is there. */
export const storeLogCases: readonly {
  readonly title: string;
  body(under: { readonly store: IAgentStore }, lane: LaneStore): Promise<void>;
}[] = [
  {
    title: 'operations come in the order of their commits, also when the clock went back',
    async body(_, lane) {
      for (const [name, atMs] of [
        ['first', 1_000],
        ['second', 500],
        ['third', 500],
        ['fourth', 700],
      ] as const)
        await put(lane, name, atMs);
      same(await turns(lane.operations()), ['first', 'second', 'third', 'fourth'], 'all');
      same(await turns(lane.operations('first-0')), ['second', 'third', 'fourth'], 'after the first');
      same(await turns(lane.operations('third-0')), ['fourth'], 'after the third');
      same(await turns(lane.operations('fourth-0')), [], 'after the last');
    },
  },
  {
    title: 'operations of all sessions come in the order of their commits, also when the clock went back',
    async body({ store }, lane) {
      const other = await store.open({ ...ANNA, session: 's2' });
      await put(lane, 'a', 1_000);
      await put(other, 'b', 500);
      await put(lane, 'c', 700);
      await put(other, 'd', 600);
      same(await turns(lane.operations(undefined, { sessions: 'all' })), ['a', 'b', 'c', 'd'], 'all');
      same(await turns(other.operations('b-0', { sessions: 'all' })), ['c', 'd'], 'after another session');
    },
  },
  {
    title: 'operations of one kind come without the others, of all sessions too, whatever their values say',
    async body({ store }, lane) {
      const other = await store.open({ ...ANNA, session: 's2' });
      await put(lane, 'a', 1);
      await commit(lane, 'b', { trait: 'openness', delta: 0.1 });
      await commit(lane, 'c', { put: 'note', value: { trait: 'none', text: '"trait":1' } });
      await commit(other, 'd', { delta: -0.1, trait: 'emotionality' });
      await commit(other, 'e', { unset: 'note' });
      const read = (sessions: 'this' | 'all', kind: OperationKind, after?: string) => turns(lane.operations(after, { sessions, kind }));
      same(await read('this', 'trait'), ['b'], 'traits of this session');
      same(await read('all', 'trait'), ['b', 'd'], 'traits of all sessions');
      same(await read('all', 'trait', 'b-0'), ['d'], 'traits after the first');
      same(await read('all', 'trait', 'a-0'), ['b', 'd'], 'traits after an operation of another kind');
      same(await read('all', 'put'), ['a', 'c'], 'puts');
      same(await read('all', 'unset'), ['e'], 'unsets');
      same(await read('all', 'set'), [], 'sets');
    },
  },
  {
    title: 'a commit of what is no operation is refused whole',
    async body(_, lane) {
      await put(lane, 'a', 1);
      const { revision, events } = await lane.load('main');
      const [good] = await all(lane.operations());
      for (const operation of [null, 'put', 5]) {
        const bad = { ...good, id: 'bad', operation } as unknown as Logged;
        const change = { revision, turn: 'bad', operations: [bad], events, batches: { add: [], done: [] } };
        await failsWith('operation_refused', () => lane.commit(change), String(operation));
      }
      same((await lane.load('main')).revision, revision, 'revision');
      same(await turns(lane.operations()), ['a'], 'log');
    },
  },
  {
    title: 'reading on from an operation that is not there is refused',
    async body({ store }, lane) {
      const other = await store.open({ ...ANNA, session: 's2' });
      await put(lane, 'a', 1);
      await put(other, 'b', 2);
      await failsWith('invalid_argument', () => turns(lane.operations('nobody')), 'unknown id');
      await failsWith('invalid_argument', () => turns(lane.operations('b-0')), 'id of another session');
      same(await turns(lane.operations('b-0', { sessions: 'all' })), [], 'id of another session among all');
    },
  },
];
