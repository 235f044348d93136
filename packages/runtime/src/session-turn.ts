import {
  type AgentState,
  type Answer,
  type Batch,
  type Clock,
  createId,
  type IChatModel,
  type Json,
  KEYS,
  type Layout,
  type Logged,
  type Parked,
  type Parts,
  type Random,
  type Snapshot,
  type Stored,
  type TraceEntry,
} from '@x/core';
import { composeParts, partsSaid } from './compose-parts.js';
import { TurnParkedError } from './errors.js';
import { callHook, faultText, type HookEntry } from './hook-list.js';
import type { LaneState } from './lane-state.js';
import { type PrefixMemory, stableHash } from './prefix-memory.js';
import { repairPairs } from './repair-pairs.js';
import { runSteps, type StepsOutcome } from './run-steps.js';
import type { Metric, RunInput, SessionOptions, TurnEvent, TurnResult } from './session-types.js';
import type { ToolSet } from './tool-set.js';
import type { TraceRing } from './trace-ring.js';
import { LAST_TURN_KEY, lastTurn, numberAt, turnSignals } from './turn-signals.js';
import { TurnState } from './turn-state.js';

/** What turns of one session share. */
export interface TurnHost {
  readonly lane: LaneState;
  readonly laneKey: string;
  readonly conversation: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly options: SessionOptions;
  readonly hooks: readonly HookEntry[];
  readonly toolSet: ToolSet;
  readonly prefix: PrefixMemory;
  readonly overhead: (layout: Layout) => number;
  readonly trace: TraceRing;
  /** The prefix, fixed from the first turn to the next reload. */
  stable: { parts: Parts | undefined; hash: string | undefined };
  model(): IChatModel;
  metBefore(state: AgentState): Promise<boolean>;
  onTrace(entry: TraceEntry): void;
  metric(metric: Metric): void;
}

interface Begun {
  readonly turn: TurnState;
  readonly snapshot: Snapshot;
  /** Messages of an expired question that enter the history with this turn; they stand at the end of `history`. */
  readonly dropped: readonly Stored[];
  readonly history: readonly Stored[];
  readonly model: IChatModel;
  readonly startMs: number;
}

interface Running {
  readonly signal: AbortSignal;
  readonly stop: AbortSignal;
  readonly wallReason: unknown;
  emit(event: TurnEvent): void;
}

/** One turn from the user's text to its commit. */
export async function startTurn(host: TurnHost, input: RunInput, running: Running): Promise<TurnResult> {
  const snapshot = await host.lane.load(host.conversation);
  const { clock, random, conversation } = host;
  const id = input.id ?? createId('turn', random);
  const replay = input.id === undefined ? undefined : replayed(snapshot, input.id);
  if (replay) return replay;
  const dropped = snapshot.parked ? dropExpired(snapshot.parked, clock.now()) : [];
  const message: Stored = {
    id,
    role: 'user',
    content: input.content,
    origin: input.origin ?? 'user',
    ...(input.sender && { sender: input.sender }),
  };
  const begun = begin(host, { snapshot, dropped, current: [message], running });
  const { turn, history } = begun;
  return guarded(host, begun, async () => {
    running.emit({ type: 'turn-start', id, atMs: turn.atMs, origin: message.origin });
    const faults = faultSink(turn, running.stop);
    for (const entry of host.hooks) {
      if (!entry.hook.beforeTurn) continue;
      await callHook(entry, 'beforeTurn', () => entry.hook.beforeTurn?.(turn.as(entry.name)), faults);
    }
    const metBefore = await host.metBefore(turn.state);
    const { state, raised: events, atMs: nowMs } = turn;
    turn.signals = turnSignals({ conversation, state, events, input: message, history, nowMs, metBefore });
    const parts = await composeParts(host.hooks, (by) => turn.as(by), faults);
    turn.layout = { ...turn.layout, stable: fixStable(host, snapshot, parts.stable), volatile: parts.volatile };
    return finish(host, begun, running);
  });
}

/** A parked turn from its answer to its commit. */
export async function resumeTurn(
  host: TurnHost,
  { parked, answer, refusal }: { readonly parked: Parked; readonly answer: Answer; readonly refusal: string | undefined },
  running: Running,
): Promise<TurnResult> {
  const snapshot = await host.lane.load(host.conversation);
  const [input, ...rest] = parked.current;
  if (!input) throw new TurnParkedError(parked.request);
  const begun = begin(host, { snapshot, dropped: [], current: [input, ...rest], running });
  const { turn } = begun;
  return guarded(host, begun, async () => {
    running.emit({ type: 'turn-start', id: input.id, atMs: turn.atMs, origin: input.origin });
    const parts = await composeParts(host.hooks, (by) => turn.as(by), faultSink(turn, running.stop));
    // The notes of this turn were said before it waited; saying others now would change the middle of the prompt.
    const volatile = host.options.placement === 'leading' ? parts.volatile : partsSaid(snapshot.blocks);
    turn.layout = { ...turn.layout, stable: fixStable(host, snapshot, parts.stable), volatile };
    return finish(host, begun, running, { callId: parked.callId, answer, refusal });
  });
}

async function guarded(host: TurnHost, { turn, model, startMs }: Begun, work: () => Promise<TurnResult>): Promise<TurnResult> {
  try {
    return await work();
  } catch (error) {
    const problem = faultText(error);
    turn.trace({ type: 'ERROR', message: 'the turn failed and was not committed', details: { problem } });
    const ms = host.clock.now() - startMs;
    host.metric({ type: 'run', model: model.modelId, turns: 0, toolCalls: 0, totalTokens: 0, ms, error: problem });
    throw error;
  } finally {
    turn.over = true;
  }
}

function begin(
  host: TurnHost,
  {
    snapshot,
    dropped,
    current,
    running,
  }: {
    readonly snapshot: Snapshot;
    readonly dropped: readonly Stored[];
    readonly current: readonly [Stored, ...Stored[]];
    readonly running: Running;
  },
): Begun {
  const { placement = 'kept-on-change' } = host.options;
  const said = dropped.length > 0 ? [...snapshot.history, ...dropped] : snapshot.history;
  const history = repairPairs(said);
  const layout: Layout = { stable: {}, tools: host.toolSet.specs, history, blocks: snapshot.blocks, volatile: {}, current, placement };
  const turn = new TurnState({
    id: current[0].id,
    lane: host.laneKey,
    input: current[0],
    layout,
    state: snapshot.state,
    events: snapshot.events,
    signal: running.signal,
    clock: host.clock,
    random: host.random,
    trace: host.trace,
    onTrace(entry) {
      host.onTrace(entry);
      running.emit({ type: 'trace', entry });
    },
  });
  return { turn, snapshot, dropped: history === said ? dropped : [], history, model: host.model(), startMs: turn.atMs };
}

async function finish(host: TurnHost, begun: Begun, running: Running, open?: Parameters<typeof runSteps>[0]['open']): Promise<TurnResult> {
  const { turn, snapshot, model, startMs } = begun;
  const { options, clock } = host;
  const faults = faultSink(turn, running.stop);
  const journal: Json[] = [];
  const outcome = await runSteps({
    place: turn,
    model,
    generation: options.generation ?? {},
    budgets: options.budgets ?? {},
    prefix: host.prefix,
    overhead: host.overhead,
    random: host.random,
    tools: host.toolSet.byName,
    hooks: host.hooks,
    view: (by) => turn.as(by),
    signal: running.signal,
    stop: running.stop,
    wallReason: running.wallReason,
    clock,
    toolTimeoutMs: options.toolTimeoutMs ?? 60_000,
    emit: running.emit,
    metric: host.metric,
    onFault: faults.onFault,
    open,
    ...(options.journal && { journal: (entry: Json) => void journal.push(entry) }),
  });
  running.stop.throwIfAborted();
  traceFailures(turn, outcome);
  const batches = outcome.status === 'pending' ? [] : await trigger(host, turn, outcome, faults);
  const committed = await commitTurn(host, begun, outcome, batches, journal, open?.answer.id);
  const { inputTokens, outputTokens } = outcome.usage;
  host.metric({
    type: 'run',
    model: model.modelId,
    turns: outcome.steps,
    toolCalls: outcome.toolCalls.length,
    totalTokens: inputTokens + outputTokens,
    ms: clock.now() - startMs,
  });
  return result(turn, snapshot, outcome, batches, committed);
}

/** Counters, then what the features want to run in the background. Pure: no model call, nothing written yet. */
async function trigger(
  host: TurnHost,
  turn: TurnState,
  outcome: StepsOutcome,
  faults: ReturnType<typeof faultSink>,
): Promise<readonly Batch[]> {
  const { input, id } = turn.start;
  if (input.origin === 'user') {
    turn.apply({ put: KEYS.turnCount, value: (numberAt(turn.state, KEYS.turnCount) ?? 0) + 1 }, 'a genuine user turn', 'runtime');
    turn.apply({ put: KEYS.lastTurnAtMs, value: turn.atMs }, 'a genuine user turn', 'runtime');
  }
  noteLastTurn(host, turn, outcome);
  const batches: Batch[] = [];
  for (const entry of host.hooks) {
    if (!entry.hook.afterTurn) continue;
    const events = turn.events;
    const said = await callHook(entry, 'afterTurn', () => entry.hook.afterTurn?.(turn.as(entry.name)), faults);
    if (said?.batch?.length) {
      batches.push({
        id: createId('batch', host.random),
        turn: id,
        by: entry.name,
        items: said.batch,
        ...(events.length > 0 && { events }),
      });
    }
  }
  return batches;
}

function noteLastTurn(host: TurnHost, turn: TurnState, outcome: StepsOutcome): void {
  const now = [...(outcome.toolFailed ? ['tool_failed'] : []), ...(outcome.folded ? ['after_fold'] : [])];
  if (lastTurn(turn.state, host.conversation).join() === now.join()) return;
  const all = (turn.state.values[LAST_TURN_KEY] ?? {}) as { readonly [key: string]: Json };
  const { [host.conversation]: _old, ...others } = all;
  const value = now.length > 0 ? { ...others, [host.conversation]: now } : others;
  turn.apply({ put: LAST_TURN_KEY, value }, 'signals for the next turn', 'runtime');
}

async function commitTurn(
  host: TurnHost,
  { turn, snapshot, history: begunWith, dropped }: Begun,
  outcome: StepsOutcome,
  batches: readonly Batch[],
  journal: readonly Json[],
  answered: string | undefined,
): Promise<{ readonly logged: readonly Logged[]; readonly state: AgentState }> {
  const { history, current, blocks } = turn.layout;
  const appended = history === begunWith ? dropped : [];
  const replaced = history !== snapshot.history && appended.length === 0;
  const parked = outcome.pending && { turn: turn.start.id, current, callId: outcome.pending.callId, request: outcome.pending.request };
  return host.lane.commit({
    turn: answered === undefined ? turn.start.id : `${turn.start.id}:${answered}`,
    conversation: host.conversation,
    operations: turn.operations,
    raised: turn.raised.filter((event) => !turn.consumed.has(event.eventType)),
    consumed: turn.consumed,
    batches: { add: batches },
    journal,
    transcript: {
      madeOn: snapshot.transcriptRevision,
      change: {
        ...(replaced && { replace: history }),
        append: parked ? appended : [...appended, ...current],
        blocks,
        stableHash: host.stable.hash ?? '',
        ...(parked && { parked }),
      },
    },
  });
}

function result(
  turn: TurnState,
  snapshot: Snapshot,
  outcome: StepsOutcome,
  batches: readonly Batch[],
  { logged, state }: { readonly logged: readonly Logged[]; readonly state: AgentState },
): TurnResult {
  return {
    id: turn.start.id,
    text: outcome.text,
    status: outcome.status,
    ...(outcome.limit && { limit: outcome.limit }),
    ...(outcome.pending && { pending: outcome.pending.request }),
    messages: turn.layout.current,
    usage: outcome.usage,
    steps: outcome.steps,
    toolCalls: outcome.toolCalls,
    operations: logged,
    events: turn.raised,
    batches,
    state: { before: snapshot.state, after: state },
    parts: { stable: turn.layout.stable, volatile: turn.layout.volatile },
    signals: turn.signals,
    replayed: false,
  };
}

/** The prefix is made once; what hooks say of it in later turns waits for a reload. */
function fixStable(host: TurnHost, snapshot: Snapshot, composed: Parts): Parts {
  if (host.stable.parts) return host.stable.parts;
  const own = typeof host.options.stable === 'function' ? host.options.stable() : (host.options.stable ?? {});
  const parts = { ...own, ...composed };
  const hash = stableHash(parts, host.toolSet.specs);
  const stored = host.stable.hash ?? snapshot.stableHash;
  if (stored) host.prefix.due = stored === hash ? undefined : 'reload';
  host.stable = { parts, hash };
  return parts;
}

function replayed(snapshot: Snapshot, id: string): TurnResult | undefined {
  const at = snapshot.history.findIndex((message) => message.id === id);
  if (at < 0) return undefined;
  const rest = snapshot.history.slice(at + 1);
  const until = rest.findIndex((message) => message.role === 'user');
  const messages = [snapshot.history[at]!, ...(until < 0 ? rest : rest.slice(0, until))];
  const said = messages.filter((message) => message.role === 'assistant' && typeof message.content === 'string' && message.content !== '');
  return {
    id,
    text: String(said.at(-1)?.content ?? ''),
    status: 'done',
    messages,
    usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, counted: true },
    steps: 0,
    toolCalls: [],
    operations: [],
    events: [],
    batches: [],
    state: { before: snapshot.state, after: snapshot.state },
    parts: { stable: {}, volatile: {} },
    signals: [],
    replayed: true,
  };
}

/** A question that expired no longer blocks the conversation: its call is closed, its turn enters the history. */
function dropExpired(parked: Parked, nowMs: number): readonly Stored[] {
  if (parked.request.expiresAtMs === undefined || nowMs <= parked.request.expiresAtMs) throw new TurnParkedError(parked.request);
  const content = `expired: ${parked.request.prompt}`;
  return [
    ...parked.current,
    { id: `${parked.turn}:${parked.callId}`, role: 'tool', tool_call_id: parked.callId, content, origin: 'synthetic' },
  ];
}

function traceFailures(turn: TurnState, { toolCalls }: StepsOutcome): void {
  for (const { name, id, isError, output } of toolCalls) {
    if (isError) turn.trace({ type: 'ERROR', message: `tool ${name} failed`, details: { callId: id, output: output.slice(0, 1000) } });
  }
}

function faultSink(turn: TurnState, signal: AbortSignal) {
  return {
    signal,
    onFault: (message: string, error: unknown) => turn.trace({ type: 'WARNING', message, details: { problem: faultText(error) } }),
  };
}
