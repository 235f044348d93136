import { imprintEntries } from '../imprints.js';
import type { Json } from '../json.js';
import type { Block } from '../layout.js';
import type { Stored } from '../messages.js';
import type { Commit, IAgentStore, LaneScope, LaneStore } from '../store.js';
import { failsWith, same } from './contract.js';

const NOTHING = { operations: [], events: [], batches: { add: [], done: [] } } as const;

function says(id: string, content: string): Stored {
  return { id, role: 'user', content, origin: 'user' };
}

/** Commits a change of a conversation on the newest revision. */
async function tell(lane: LaneStore, turn: string, change: Partial<NonNullable<Commit['conversation']>>): Promise<void> {
  const { revision } = await lane.load('main');
  await lane.commit({ ...NOTHING, revision, turn, conversation: { id: 'main', append: [], blocks: [], stableHash: 'h', ...change } });
}

/** What is easily got wrong: folds of folds, notes that shrink, odd texts, neighbours with like names, many at a time. */
export const storeEdgeCases: readonly {
  readonly title: string;
  body(under: { readonly store: IAgentStore }, lane: LaneStore): Promise<void>;
}[] = [
  {
    title: 'a fold of a fold, a prune in the middle and an unfolding each show what they say, and the original stays whole',
    async body(_, lane) {
      const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((id) => says(id, `message ${id}`)) as [Stored, Stored, Stored, Stored, Stored];
      const [first, second, cut] = [says('s1', 'summary of a'), says('s2', 'summary of s1 and b'), { ...c, content: 'c, cut' }];
      const history = async (original = false): Promise<readonly Stored[]> => (await lane.load('main', { original })).history;
      await tell(lane, 't1', { append: [a, b, c] });
      await tell(lane, 't2', { replace: [first, b, c], append: [d] });
      same(await history(), [first, b, c, d], 'first fold');
      await tell(lane, 't3', { replace: [second, c, d], append: [e] });
      same(await history(), [second, c, d, e], 'fold of the fold');
      await tell(lane, 't4', { replace: [second, cut, d, e] });
      same(await history(), [second, cut, d, e], 'a message cut in the middle');
      await tell(lane, 't5', { replace: [e, d], append: [a] });
      same(await history(), [e, d, a], 'another order');
      await tell(lane, 't6', { replace: [] });
      same(await history(), [], 'nothing left');
      await tell(lane, 't7', { replace: [a, b, c, d, e] });
      same(await history(), [a, b, c, d, e], 'unfolded');
      same(await history(true), [a, b, c, d, e, a], 'original');
    },
  },
  {
    title: 'notes that grow, shrink, change and leave are kept as they were given last',
    async body(_, lane) {
      const note = (part: string, text: string): Block => ({ before: 'm', part, text });
      const lists: readonly (readonly Block[])[] = [
        [note('a', '1')],
        [note('a', '1'), note('b', '2'), note('c', '3')],
        [note('a', '1'), note('b', '2')],
        [note('a', 'x'), note('b', '2')],
        [note('b', '2'), note('a', 'x')],
        [],
        [note('b', '2')],
        [note('b', '2')],
      ];
      for (const [index, blocks] of lists.entries()) {
        await tell(lane, `t${index}`, { blocks });
        same((await lane.load('main')).blocks, blocks, `list ${index}`);
      }
    },
  },
  {
    title: 'ids and texts of any characters come back as they are and stay apart',
    async body({ store }) {
      const odd = [
        '',
        'NUL \0 inside',
        'half \ud83d pair',
        'half \ude00 pair',
        '\\u0000',
        '"quoted"',
        'line\nbreak',
        '👋 e\u0301 é',
        '%2F/../',
        "'; --",
      ];
      const lane = await store.open({ persona: odd[1] ?? '', user: odd[5] ?? '', session: odd[7] ?? '' });
      for (const [index, text] of odd.entries()) {
        const { revision } = await lane.load('main');
        const conversation = { id: text, append: [says(text, text)], blocks: [{ before: text, part: text, text }], stableHash: text };
        await lane.commit({ ...NOTHING, revision, turn: text, conversation, journal: [{ [`key ${text}`]: text, index }] });
      }
      for (const [index, text] of odd.entries()) {
        const { history, blocks, stableHash, transcriptRevision } = await lane.load(text);
        same([history, transcriptRevision, stableHash], [[says(text, text)], 1, text], JSON.stringify(text));
        same(blocks, [{ before: text, part: text, text }], `blocks of ${JSON.stringify(text)}`);
        same(await lane.journal(text), [{ [`key ${text}`]: text, index }], `journal of ${JSON.stringify(text)}`);
      }
    },
  },
  {
    title: 'imprints stay in the order in which they were learned',
    async body(_, lane) {
      for (const key of ['zebra', 'ant', '10', '9', 'mouse']) await lane.memory.set(`imprint:${key}`, key);
      await lane.memory.set('imprint:zebra', 'again');
      const { state } = await lane.load('main');
      const order = imprintEntries(state).map(([key]) => key);
      same(order, ['ant', '10', '9', 'mouse', 'zebra'], 'order');
    },
  },
  {
    title: 'directories and lanes whose names begin alike share nothing, also when all sessions are read',
    async body({ store }) {
      const scopes: readonly LaneScope[] = [
        { directory: '/home/ava' },
        { directory: '/home/ava/' },
        { directory: '/home/ava2' },
        { persona: 'ava', user: 'u', session: 's' },
        { persona: 'ava', user: 'u2', session: 's' },
        { persona: 'ava', user: 'u/2', session: 's' },
      ];
      for (const [index, scope] of scopes.entries()) await (await store.open(scope)).memory.set('mine', index);
      for (const [index, scope] of scopes.entries()) {
        const found: Json[] = [];
        for await (const { to } of (await store.open(scope)).operations(undefined, { sessions: 'all' })) found.push(to);
        same(found, [index], JSON.stringify(scope));
      }
    },
  },
  {
    title: 'a turn of another lane has another journal',
    async body({ store }, lane) {
      const other = await store.open({ persona: 'tutor', user: 'bob', session: 's1' });
      await lane.commit({ ...NOTHING, revision: 0, turn: 't', journal: ['mine'] });
      await other.commit({ ...NOTHING, revision: 0, turn: 't', journal: ['theirs'] });
      same([await lane.journal('t'), await other.journal('t'), await lane.journal('t2')], [['mine'], ['theirs'], []], 'journals');
    },
  },
  {
    title: 'values set at the same time are all kept',
    async body(_, lane) {
      await Promise.all(Array.from({ length: 20 }, (_unused, n) => lane.memory.set(`key${n}`, n)));
      const { state, revision } = await lane.load('main');
      same([Object.keys(state.values).length, revision], [20, 20], 'keys and revision');
    },
  },
  {
    title: 'one turn committed by many at the same time counts once',
    async body(_, lane) {
      const commit = (): Promise<{ revision: number }> =>
        lane.commit({
          ...NOTHING,
          revision: 0,
          turn: 't',
          conversation: { id: 'main', append: [says('m', 'once')], blocks: [], stableHash: '' },
        });
      same(await Promise.all([commit(), commit(), commit(), commit()]), Array(4).fill({ revision: 1 }), 'revisions');
      same((await lane.load('main')).history.length, 1, 'messages');
    },
  },
  {
    title: 'a lease that was seen once is remembered by commits without one',
    async body(_, lane) {
      await lane.commit({ ...NOTHING, revision: 0, turn: 't1', fence: 5 });
      await lane.commit({ ...NOTHING, revision: 1, turn: 't2' });
      await failsWith('fence_stale', () => lane.commit({ ...NOTHING, revision: 2, turn: 't3', fence: 4 }), 'older lease');
      same((await lane.commit({ ...NOTHING, revision: 2, turn: 't3', fence: 6 })).revision, 3, 'newer lease');
    },
  },
  {
    title: 'a value that contains itself is refused and changes nothing',
    async body(_, lane) {
      const cyclic: { self?: unknown } = {};
      cyclic.self = cyclic;
      // One that holds itself twice must not be followed down every way.
      const twice: unknown[] = [];
      twice.push(twice, twice);
      for (const value of [cyclic, twice]) {
        const journal = [value as Json];
        await failsWith('json_value_invalid', () => lane.commit({ ...NOTHING, revision: 0, turn: 't', journal }), 'cycle in the journal');
      }
      same((await lane.load('main')).revision, 0, 'revision');
    },
  },
];
