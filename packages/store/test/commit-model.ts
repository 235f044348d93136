import {
  type Batch,
  type Block,
  type Commit,
  createMemoryStore,
  type IAgentStore,
  isAgentosError,
  type Json,
  type LaneScope,
  type LaneStore,
  type Logged,
  logOperations,
  type Operation,
  type Snapshot,
  type Stored,
} from '@x/core';
import { createRandom } from '@x/testkit';
import fc from 'fast-check';
import { expect } from 'vitest';

/** One thing done to two stores at once. */
export type Command =
  | {
      readonly type: 'commit';
      readonly scope: number;
      readonly turn: string;
      /** How far behind the newest revision it was made. */
      readonly behind: number;
      readonly fence?: number | undefined;
      readonly operations: readonly Operation[];
      readonly add: readonly string[];
      readonly done: readonly string[];
      readonly events: number;
      readonly journal: readonly Json[];
      readonly talk?: Talk | undefined;
    }
  | { readonly type: 'set'; readonly scope: number; readonly key: string; readonly value: Json }
  | { readonly type: 'delete'; readonly scope: number; readonly key: string }
  | { readonly type: 'reopen' };

interface Talk {
  readonly conversation: string;
  readonly append: readonly string[];
  /** Which messages of the history stay in a new one, and where a summary stands; none: nothing is replaced. */
  readonly keep?: readonly boolean[] | undefined;
  readonly summary: boolean;
  readonly notes: readonly string[];
  readonly parked: boolean;
}

export const SCOPES: readonly LaneScope[] = [
  { persona: 'ava', user: 'u', session: '1' },
  { persona: 'ava', user: 'u', session: '2' },
  { directory: '/ava' },
];
const CONVERSATIONS = ['main', 'other'];
const TURNS = Array.from({ length: 12 }, (_, index) => `t${index}`);

const text = fc.oneof(
  fc.constantFrom('a', 'b', 'A longer text, such as people write.', '👋 \ud83d \0 "\\'),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const key = fc.constantFrom('alpha', 'beta', 'currentGmiMood', 'currentUserContext', 'imprint:pet', 'imprint:name', '__proto__', '');
const value = fc.oneof(
  fc.constantFrom<Json>('curious', 'expert', null, 0, { skillLevel: 'expert', likes: ['x'] }),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ set: fc.constant('mood' as const), to: fc.constantFrom('curious', 'focused', 'helpful') }),
  fc.record({ set: fc.constantFrom('language' as const, 'domain' as const), to: fc.constantFrom('de', 'recursion', '') }),
  fc.record({ put: fc.constantFrom('alpha', 'beta'), value }),
  fc.record({ imprint: fc.constantFrom('pet', 'name', 'home'), value }),
  fc.record({ trait: fc.constantFrom('openness', 'emotionality'), delta: fc.double({ min: -0.4, max: 0.4, noNaN: true }) }),
  fc.record({ unset: fc.constantFrom('alpha', 'imprint:pet', 'language') }),
);
const talk: fc.Arbitrary<Talk> = fc.record({
  conversation: fc.constantFrom(...CONVERSATIONS),
  append: fc.array(text, { maxLength: 3 }),
  keep: fc.option(fc.array(fc.boolean(), { maxLength: 12 }), { nil: undefined, freq: 3 }),
  summary: fc.boolean(),
  notes: fc.array(fc.constantFrom('calm', 'tense', ''), { maxLength: 4 }),
  parked: fc.boolean(),
});
const scope = fc.nat({ max: SCOPES.length - 1 });
export const commands: fc.Arbitrary<readonly Command[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        type: fc.constant('commit' as const),
        scope,
        turn: fc.constantFrom(...TURNS),
        behind: fc.constantFrom(0, 0, 0, 0, 0, 1),
        fence: fc.option(fc.nat({ max: 3 }), { nil: undefined, freq: 4 }),
        operations: fc.array(operation, { maxLength: 3 }),
        add: fc.array(fc.constantFrom('b1', 'b2', 'b3'), { maxLength: 1 }),
        done: fc.array(fc.constantFrom('b1', 'b2', 'b3'), { maxLength: 2 }),
        events: fc.nat({ max: 2 }),
        journal: fc.array(value, { maxLength: 2 }),
        talk: fc.option(talk, { nil: undefined, freq: 4 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('set' as const), scope, key, value }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('delete' as const), scope, key }) },
    { weight: 1, arbitrary: fc.constant({ type: 'reopen' as const }) },
  ),
  { minLength: 1, maxLength: 24 },
);

/** A store to compare with the one in memory; `reopen` gives another handle on the same data. */
export interface Subject {
  readonly store: IAgentStore;
  reopen(): Promise<IAgentStore>;
  close(): Promise<void>;
}

/** Gives the same commands to a store and to the one in memory; after each, both show the same. */
export async function sameAsMemory(
  list: readonly Command[],
  create: (options: {
    readonly clock: { now(): number; setTimeout(fn: () => void, ms: number): () => void };
    readonly random: () => number;
  }) => Promise<Subject>,
): Promise<void> {
  let nowMs = 1_000_000;
  const clock = {
    now: () => nowMs,
    setTimeout(fn: () => void, ms: number) {
      const timer = setTimeout(fn, ms);
      return () => clearTimeout(timer);
    },
  };
  const oracle = createMemoryStore({ clock, random: createRandom(7) });
  const subject = await create({ clock, random: createRandom(7) });
  let { store } = subject;
  try {
    const touched = new Set<number>();
    for (const [index, command] of list.entries()) {
      nowMs += 1;
      if (command.type === 'reopen') store = await subject.reopen();
      else {
        const where = SCOPES[command.scope] ?? { directory: '/none' };
        const [a, b] = [await oracle.open(where), await store.open(where)];
        const made = command.type === 'commit' ? await commitOf(a, command, index, nowMs) : undefined;
        const run = (lane: LaneStore): Promise<unknown> => {
          if (made) return lane.commit(made);
          if (command.type === 'set') return lane.memory.set(command.key, command.value);
          return command.type === 'delete' ? lane.memory.delete(command.key) : Promise.resolve();
        };
        expect(await outcome(() => run(b))).toEqual(await outcome(() => run(a)));
      }
      if (command.type !== 'reopen') touched.add(command.scope);
      for (const [place, where] of SCOPES.entries()) {
        const looks = command.type === 'reopen' ? touched.has(place) : command.scope === place;
        if (looks) expect(await view(await store.open(where))).toEqual(await view(await oracle.open(where)));
      }
    }
    for (const where of SCOPES) expect(await view(await store.open(where))).toEqual(await view(await oracle.open(where)));
  } finally {
    await subject.close();
  }
}

async function outcome(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (isAgentosError(error)) return error.code;
    throw error;
  }
}

/** All that a lane shows. Order of keys counts: an agent's imprints are in order. */
async function view(lane: LaneStore): Promise<string> {
  const seen: unknown[] = [];
  for (const name of CONVERSATIONS) seen.push(plain(await lane.load(name)), plain(await lane.load(name, { original: true })));
  for (const sessions of ['this', 'all'] as const) {
    const logged: Logged[] = [];
    for await (const entry of lane.operations(undefined, { sessions })) logged.push(entry);
    seen.push(logged);
    const later: Logged[] = [];
    for await (const entry of lane.operations(logged[Math.floor(logged.length / 2)]?.id, { sessions })) later.push(entry);
    seen.push(later);
  }
  for (const turn of TURNS) seen.push(await lane.journal(turn));
  seen.push([...(await lane.memory.keys())].sort(), await lane.memory.get('currentUserContext'));
  return JSON.stringify(seen);
}

function plain({ revision, state, events, batches, transcriptRevision, history, blocks, stableHash, parked }: Snapshot): unknown {
  const { mood, skill, complexity, language, domain, traits, imprints, values } = state;
  const sorted = {
    mood,
    skill,
    complexity,
    language,
    domain,
    traits: Object.entries(traits).sort(),
    imprints,
    values: Object.entries(values).sort(),
  };
  return [revision, sorted, events, batches, transcriptRevision, history, blocks, stableHash, parked];
}

async function commitOf(lane: LaneStore, command: Extract<Command, { type: 'commit' }>, index: number, atMs: number): Promise<Commit> {
  const { turn, talk: said } = command;
  const snapshot = await lane.load(said?.conversation ?? 'main');
  const cause = { by: 'test', why: `command ${index}`, turn, atMs };
  let ids = 0;
  const newId = (): string => `op-${index}-${ids++}`;
  let operations: readonly Logged[];
  try {
    operations = logOperations(snapshot.state, command.operations, cause, newId).logged;
  } catch {
    // Refused operations are committed too: the store has to refuse them in turn.
    operations = command.operations.map((one) => ({ id: newId(), operation: one, ...cause, from: null, to: null }));
  }
  const batch = (id: string): Batch => ({ id: `${id}-${index % 3}`, turn, by: 'test', items: [{ id, because: turn }] });
  return {
    revision: Math.max(0, snapshot.revision - command.behind),
    turn,
    ...(command.fence !== undefined && { fence: command.fence }),
    operations,
    events: Array.from({ length: command.events }, () => ({
      eventType: 'e',
      timestamp: '2026-01-01',
      turnId: turn,
      severity: 'low' as const,
      metadata: { index },
    })),
    batches: { add: command.add.map(batch), done: command.done.map((id) => `${id}-${index % 3}`) },
    journal: command.journal,
    ...(said && { conversation: conversationOf(snapshot, said, index) }),
  };
}

function conversationOf({ history }: Snapshot, said: Talk, index: number): NonNullable<Commit['conversation']> {
  const message = (id: string, content: string): Stored => ({ id, role: 'user', content, origin: 'user' });
  const append = said.append.map((content, place) => message(`m${index}-${place}`, content));
  const kept = said.keep && history.filter((_, place) => said.keep?.[place % (said.keep.length || 1)] ?? true);
  const blocks: readonly Block[] = said.notes.map((note, place) => ({ before: `m${place}`, part: 'state', text: note }));
  return {
    id: said.conversation,
    ...(kept && { replace: [...(said.summary ? [message(`s${index}`, 'summary')] : []), ...kept] }),
    append,
    blocks,
    stableHash: `h${index}`,
    ...(said.parked && { parked: { turn: 't', current: append, callId: 'c', request: { id: 'r', kind: 'approval', prompt: '?' } } }),
  };
}
