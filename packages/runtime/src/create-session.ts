import {
  createId,
  createRequestLayout,
  type IChatModel,
  InvalidArgumentError,
  type ITool,
  inverseOperation,
  KEYS,
  type Logged,
  logOperations,
  type Operation,
  type TraceEntry,
} from '@x/core';
import { followSignal, limitTime, settledWithin } from './abort.js';
import { type Attempt, createAnswerClaims, settledBefore } from './answer-claim.js';
import type { BatchOwner } from './background.js';
import { callSink } from './call-sink.js';
import { limitsProblem } from './check-limits.js';
import { AnswerMismatchError, NothingParkedError, OperationUnknownError, SessionClosedError } from './errors.js';
import { streamEvents } from './event-channel.js';
import { noStable, unfixStable } from './fixed-stable.js';
import { borrowersOf, faultText, listHooks } from './hook-list.js';
import type { LaneParts } from './lane-parts.js';
import { createMessageCheck } from './message-check.js';
import { createOverheadCounter, createPrefixMemory } from './prefix-memory.js';
import { createRepeats } from './repeated-question.js';
import { createReplays } from './replay.js';
import { closeParked, resumeTurn, startTurn } from './session-turn.js';
import type { Budgets, Metric, RunInput, Session, SessionOptions, TurnEvent, TurnResult } from './session-types.js';
import { createToolSets } from './tool-set.js';
import { createTraceRing } from './trace-ring.js';
import type { Running, TurnHost } from './turn-host.js';
import { numberAt } from './turn-signals.js';

/** What one run brings beside its work. */
interface RunTerms {
  readonly rank: 'user' | 'beat';
  readonly signal: AbortSignal | undefined;
  readonly tools: readonly ITool[] | undefined;
  readonly budgets: Budgets | undefined;
  readonly onEvent: ((event: TurnEvent) => void) | undefined;
}

/** Makes a session; called by a lane. @throws `tool_invalid` */
export function createSession(parts: LaneParts, options: SessionOptions, onClosed: () => void): Session {
  const { clock, random, queue, laneState, background, store, laneKey: lane } = parts;
  const conversation = options.conversation ?? 'main';
  const hooks = listHooks(options.features ?? [], options.hooks);
  const trace = createTraceRing();
  const model = (): IChatModel => (typeof options.model === 'function' ? options.model() : options.model);
  const live = new Set<AbortController>();
  const running = new Set<Promise<unknown>>();
  let met: boolean | undefined;
  let closed = false;

  const onTrace = (entry: TraceEntry): void =>
    callSink(options.onTrace, entry, (error) =>
      trace.add({ ...entry, type: 'WARNING', message: 'onTrace threw', details: { problem: faultText(error) } }),
    );
  const record = (entry: TraceEntry): void => {
    trace.add(entry);
    onTrace(entry);
  };
  const metric = (event: Metric): void =>
    callSink(options.onMetric, event, (error) =>
      record({ type: 'WARNING', message: 'onMetric threw', turn: '', atMs: clock.now(), details: { problem: faultText(error) } }),
    );
  const host: TurnHost = {
    lane: laneState,
    laneKey: lane,
    conversation,
    clock,
    random,
    options,
    hooks,
    borrowers: borrowersOf(hooks),
    toolSet: createToolSets(options.tools ?? []),
    prefix: createPrefixMemory(),
    overhead: createOverheadCounter(),
    layOut: createRequestLayout(),
    check: createMessageCheck(),
    trace,
    paired: new WeakSet(),
    stable: noStable(),
    replays: createReplays(store, conversation),
    model,
    onTrace,
    metric,
    repeats: createRepeats(),
    async metBefore(state) {
      if ((numberAt(state, KEYS.turnCount) ?? 0) > 0) return false;
      met ??= await anyOperation(store.operations(undefined, { sessions: 'all' }));
      return met;
    },
  };
  const owner: BatchOwner = {
    conversation,
    hooks,
    resolveModel: options.resolveModel ?? model,
    batchTimeoutMs: options.batchTimeoutMs ?? 120_000,
    traceLog: () => trace.entries,
    trace: record,
  };

  /** Waits for the lane, runs the work under all that may stop it, then starts what the commit left for the background. */
  const inLane = (
    work: (running: Running) => Promise<TurnResult>,
    { rank, signal, tools, budgets: own, onEvent }: RunTerms,
  ): Promise<TurnResult> => {
    const budgets: Budgets = { ...options.budgets, ...own };
    if (closed) return Promise.reject(new SessionClosedError(lane));
    const problem = limitsProblem(budgets);
    if (problem) return Promise.reject(new InvalidArgumentError(`budgets: ${problem}.`));
    const emit = guardListener(onEvent, record, clock.now);
    const isHeard = onEvent !== undefined;
    const caller = followSignal(signal);
    live.add(caller.controller);
    const stop = caller.controller.signal;
    const promise = queue
      .run(
        async () => {
          const wall = limitTime(stop, budgets.maxWallMs, clock);
          try {
            return await work({ tools, budgets, signal: wall.signal, stop, outOfTime: wall.isOver, emit, isHeard });
          } finally {
            wall.release();
          }
        },
        { rank, signal: stop },
      )
      .then((result) => {
        background.add(result.batches, owner);
        emit({ type: 'turn-end', result });
        return result;
      })
      .finally(() => {
        caller.release();
        live.delete(caller.controller);
        running.delete(promise);
      });
    running.add(promise);
    return promise;
  };

  const ask = (given: RunInput | string, onEvent?: (event: TurnEvent) => void): Promise<TurnResult> => {
    const input: RunInput = typeof given === 'string' ? { content: given } : given;
    const rank = (input.origin ?? 'user') === 'user' ? 'user' : 'beat';
    return inLane((turn) => startTurn(host, input, turn), {
      rank,
      signal: input.signal,
      tools: input.tools,
      budgets: input.budgets,
      onEvent,
    });
  };

  const claims = createAnswerClaims({ laneState, conversation, clock, random });
  const resume: Session['resume'] = (answer, { signal, onEvent, tools, budgets } = {}) =>
    inLane(
      async (turn) => {
        const { parked } = await laneState.load(conversation);
        if (!parked) throw new NothingParkedError();
        if (answer.id !== parked.request.id) throw new AnswerMismatchError({ expected: parked.request.id, got: answer.id });
        const ran = await claims.take(parked);
        const attempt: Attempt = { started: false };
        try {
          const settled = settledBefore({ parked, answer, nowMs: clock.now() }, ran, host.toolSet(tools));
          return await resumeTurn(host, { parked, answer, settled, attempt }, turn);
        } catch (error) {
          await claims.leave(parked, ran, attempt);
          throw error;
        }
      },
      { rank: 'user', signal, tools, budgets, onEvent },
    );

  const apply = async (operations: readonly Operation[], by: string, why: string): Promise<readonly Logged[]> => {
    const turn = createId('set', random);
    const { state } = await laneState.load(conversation);
    const { logged } = logOperations(state, operations, { by, why, turn, atMs: clock.now() }, () => createId('op', random));
    return (await laneState.commit({ turn, conversation, operations: logged })).logged;
  };

  const adopt = laneState
    .load(conversation)
    .then(({ batches }) => background.add(batches, owner))
    .catch((error) =>
      record({
        type: 'ERROR',
        message: 'the lane could not be loaded',
        turn: '',
        atMs: clock.now(),
        details: { problem: faultText(error) },
      }),
    );

  return {
    conversation,
    lane,
    ask,
    resume,
    apply,
    run: (input) => streamEvents((emit, signal) => ask({ ...input, signal }, emit), input.signal),
    async cancel() {
      // A turn may be going on with it.
      const { parked, transcriptRevision, blocks, stableHash } = await laneState.loadToKeep(conversation);
      if (!parked) return false;
      await laneState.commit({
        turn: createId('cancel', random),
        conversation,
        operations: [],
        transcript: {
          madeOn: transcriptRevision,
          change: { append: closeParked(parked, 'cancelled'), blocks, stableHash: stableHash ?? '' },
        },
      });
      return true;
    },
    parked: async () => (await laneState.load(conversation)).parked?.request,
    state: async () => (await laneState.load(conversation)).state,
    history: async ({ original = false } = {}) =>
      (original ? await store.load(conversation, { original }) : await laneState.loadToKeep(conversation)).history,
    get traceLog() {
      return trace.entries;
    },
    operations: ({ after, ...wanted } = {}) => store.operations(after, wanted),
    async undo(operationId) {
      for await (const entry of store.operations()) {
        if (entry.id === operationId) return apply([inverseOperation(entry)], 'host', `undo ${operationId}`);
      }
      throw new OperationUnknownError(operationId);
    },
    async drain({ timeoutMs = Number.POSITIVE_INFINITY } = {}) {
      await adopt;
      return background.drain(timeoutMs);
    },
    reload() {
      host.stable = unfixStable(host.stable);
    },
    async close({ timeoutMs = 5000 } = {}) {
      closed = true;
      const until = clock.now() + timeoutMs;
      await adopt;
      const calm = running.size === 0 || (await settledWithin(Promise.allSettled(running), timeoutMs, clock));
      if (!calm) {
        for (const controller of live) controller.abort(new SessionClosedError(lane));
        await Promise.allSettled(running);
      }
      await background.drain(Math.max(0, until - clock.now()));
      onClosed();
    },
  };
}

/** A listener that throws is reported once in the trace; the turn does not notice. */
function guardListener(
  onEvent: ((event: TurnEvent) => void) | undefined,
  record: (entry: TraceEntry) => void,
  now: () => number,
): (event: TurnEvent) => void {
  if (!onEvent) return () => {};
  let reported = false;
  return (event) =>
    callSink(onEvent, event, (error) => {
      if (reported) return;
      reported = true;
      record({ type: 'WARNING', message: 'a listener of events threw', turn: '', atMs: now(), details: { problem: faultText(error) } });
    });
}

async function anyOperation(operations: AsyncIterable<Logged>): Promise<boolean> {
  for await (const _ of operations) return true;
  return false;
}
