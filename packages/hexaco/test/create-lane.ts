import {
  type AgentState,
  type Clock,
  createId,
  type GMIEvent,
  type IAgentStore,
  type LaneScope,
  type Logged,
  logOperations,
  type Operation,
  type Parts,
  type Random,
  type Stored,
  type TraceEntry,
  type Turn,
  type TurnHook,
} from '@x/core';

/** A lane driven by hand, turn by turn. Only for tests and proofs of this package. */
export interface TestLane {
  /** Runs hooks around `during` and commits what was applied. */
  turn(
    during?: (turn: Turn) => void,
    options?: { readonly origin?: Stored['origin']; readonly sender?: Stored['sender'] },
  ): Promise<TurnOutcome>;
  state(): Promise<AgentState>;
  readonly trace: TraceEntry[];
}

export interface TurnOutcome {
  readonly stable: Parts;
  readonly volatile: Parts;
  readonly operations: readonly Logged[];
  readonly raised: readonly string[];
}

export async function createLane({
  store,
  scope,
  hooks,
  clock,
  random,
  initial,
}: {
  store: IAgentStore;
  scope: LaneScope;
  hooks: readonly TurnHook[];
  clock: Clock;
  random: Random;
  initial?: Partial<AgentState>;
}): Promise<TestLane> {
  const lane = await store.open(scope, { initial });
  const trace: TraceEntry[] = [];
  return {
    trace,
    state: async () => (await lane.load('main')).state,
    async turn(during, { origin = 'user', sender } = {}) {
      const { revision, state: start, events } = await lane.load('main');
      const id = createId('turn', random);
      const atMs = clock.now();
      const input: Stored = { id, role: 'user', content: 'hello', origin, ...(sender && { sender }) };
      const operations: Logged[] = [];
      const raised: GMIEvent[] = [];
      let state = start;
      const as = (by: string): Turn => ({
        id,
        lane: 'directory' in scope ? `dir:${scope.directory}` : 'p/u/s',
        origin,
        input,
        layout: { stable: {}, tools: [], history: [], blocks: [], volatile: {}, current: [input] },
        get state() {
          return state;
        },
        events: raised,
        signals: [],
        traceLog: trace,
        signal: new AbortController().signal,
        atMs,
        apply(operation: Operation, why: string) {
          const done = logOperations(state, [operation], { by, why, turn: id, atMs }, () => createId('op', random));
          state = done.state;
          operations.push(...done.logged);
        },
        trace: (entry) => void trace.push({ ...entry, turn: id, atMs }),
        raise: (event) => void raised.push({ ...event, timestamp: new Date(atMs).toISOString(), turnId: id }),
        consume: () => undefined,
      });
      let stable: Parts = {};
      let volatile: Parts = {};
      for (const hook of hooks) await hook.beforeTurn?.(as(hook.name ?? 'host'));
      for (const hook of hooks) {
        const parts = (await hook.compose?.(as(hook.name ?? 'host'))) ?? {};
        stable = { ...stable, ...parts.stable };
        volatile = { ...volatile, ...parts.volatile };
      }
      during?.(as('adapt_personality'));
      for (const hook of hooks) await hook.afterTurn?.(as(hook.name ?? 'host'));
      await lane.commit({ revision, turn: id, operations, events, batches: { add: [], done: [] } });
      return { stable, volatile, operations, raised: raised.map((event) => event.eventType) };
    },
  };
}
