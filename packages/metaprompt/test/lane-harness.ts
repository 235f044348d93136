import {
  type AgentState,
  type Batch,
  type BatchWork,
  type ChatMessage,
  type Clock,
  createId,
  type GMIEvent,
  type IChatModel,
  type LaneStore,
  type Logged,
  logOperations,
  type Operation,
  type Random,
  type Snapshot,
  type Stored,
  type TraceEntry,
  type Turn,
  type TurnHook,
} from '@x/core';

/** One lane driven by hand: the smallest thing that obeys the contract of a session. Only for tests of this package. */
export interface LaneHarness {
  /** One user turn, from hooks to commit; no model is asked. */
  turn(
    text: string,
    options?: TurnOptions,
  ): Promise<{ readonly volatile: { readonly [part: string]: string }; readonly batches: readonly Batch[] }>;
  /** Runs what is pending, one batch after the other. */
  runPending(signal?: AbortSignal): Promise<void>;
  load(): Promise<Snapshot>;
  state(): Promise<AgentState>;
  readonly trace: TraceEntry[];
}

export interface TurnOptions {
  readonly origin?: Stored['origin'];
  readonly events?: readonly string[];
  readonly reply?: string;
  readonly sender?: Stored['sender'];
}

export function createLaneHarness({
  lane,
  hook,
  model,
  clock,
  random,
  laneKey = 'p/u/s',
}: {
  lane: LaneStore;
  hook: TurnHook;
  model?: IChatModel;
  clock: Clock;
  random: Random;
  laneKey?: string;
}): LaneHarness {
  const trace: TraceEntry[] = [];
  const by = hook.name ?? 'host';
  const message = (
    role: 'user' | 'assistant',
    content: ChatMessage['content'],
    origin: Stored['origin'],
    sender?: Stored['sender'],
  ): Stored => ({
    id: createId('msg', random),
    role,
    content,
    origin,
    ...(sender && { sender }),
  });

  function changes(start: AgentState, turn: string) {
    let state = start;
    const operations: Logged[] = [];
    return {
      operations,
      state: () => state,
      apply(operation: Operation, why: string) {
        const done = logOperations(state, [operation], { by, why, turn, atMs: clock.now() }, () => createId('op', random));
        state = done.state;
        operations.push(...done.logged);
      },
      trace: (entry: Pick<TraceEntry, 'type' | 'message' | 'details'>) => void trace.push({ ...entry, turn, atMs: clock.now() }),
    };
  }

  return {
    trace,
    load: () => lane.load('main'),
    state: async () => (await lane.load('main')).state,
    async turn(text, { origin = 'user', events = [], reply = 'ok', sender } = {}) {
      const before = await lane.load('main');
      const id = createId('turn', random);
      const input = message('user', text, origin, sender);
      const change = changes(before.state, id);
      const make = (eventType: string): GMIEvent => ({
        eventType,
        timestamp: new Date(clock.now()).toISOString(),
        turnId: id,
        severity: 'medium',
        metadata: {},
      });
      let pending: readonly GMIEvent[] = [...before.events, ...events.map(make)];
      const turn: Turn = {
        id,
        lane: laneKey,
        origin,
        input,
        layout: { stable: {}, tools: [], history: before.history, blocks: [], volatile: {}, current: [input] },
        get state() {
          return change.state();
        },
        get events() {
          return pending;
        },
        signals: [],
        traceLog: trace,
        signal: new AbortController().signal,
        atMs: clock.now(),
        apply: change.apply,
        trace: change.trace,
        raise(event) {
          pending = [...pending, { ...make(event.eventType), ...event }];
        },
        consume(types) {
          pending = pending.filter((event) => !types.includes(event.eventType));
        },
      };
      await hook.beforeTurn?.(turn);
      const composed = (await hook.compose?.(turn)) ?? {};
      const woken = pending;
      const after = (await hook.afterTurn?.(turn)) ?? {};
      const batches: readonly Batch[] = after.batch ? [{ id: `batch-${id}`, turn: id, by, items: after.batch, events: woken }] : [];
      await lane.commit({
        revision: before.revision,
        turn: id,
        operations: change.operations,
        events: pending,
        batches: { add: batches, done: [] },
        conversation: { id: 'main', append: [input, message('assistant', reply, 'assistant')], blocks: [], stableHash: '' },
      });
      return { volatile: composed.volatile ?? {}, batches };
    },
    async runPending(signal = new AbortController().signal) {
      for (;;) {
        const { batches, state, history, revision, events } = await lane.load('main');
        const [batch] = batches;
        if (!batch) return;
        const change = changes(state, batch.id);
        const work: BatchWork = {
          get state() {
            return change.state();
          },
          history,
          traceLog: trace,
          resolveModel: () => {
            if (!model) throw new Error('no model in this test');
            return model;
          },
          signal,
          atMs: clock.now(),
          apply: change.apply,
          trace: change.trace,
        };
        await hook.runBatch?.(batch, work);
        await lane.commit({ revision, turn: batch.id, operations: change.operations, events, batches: { add: [], done: [batch.id] } });
      }
    },
  };
}
