import {
  type AgentosError,
  createId,
  InvalidArgumentError,
  isAgentosError,
  isPromiseLike,
  type Json,
  type Layout,
  type Parked,
  type Snapshot,
  type Stored,
} from '@x/core';
import type { Attempt } from './answer-claim.js';
import { commitTurn, trigger, turnResult } from './commit-turn.js';
import { composeParts, partsSaid } from './compose-parts.js';
import { TurnIdUsedError, TurnParkedError } from './errors.js';
import { fixStable } from './fixed-stable.js';
import { type CallOptions, callHook, faultText } from './hook-list.js';
import { repairPairs } from './repair-pairs.js';
import { runSteps } from './run-steps.js';
import type { RunInput, TurnResult } from './session-types.js';
import type { OpenCall } from './steps-input.js';
import type { StepsOutcome } from './tally.js';
import type { Begun, Running, TurnHost } from './turn-host.js';
import { claimKey, turnSignals } from './turn-signals.js';
import { TurnState } from './turn-state.js';

/** One turn from the user's text to its commit. */
export async function startTurn(host: TurnHost, input: RunInput, running: Running): Promise<TurnResult> {
  if (typeof input?.content !== 'string' && !Array.isArray(input?.content))
    throw new InvalidArgumentError('A turn needs a text, or a list of its parts.');
  const snapshot = await host.lane.load(host.conversation);
  const { clock, random, conversation } = host;
  // An empty id names no turn: two of them would be one.
  const named = input.id || undefined;
  const id = named ?? createId('turn', random);
  const replay = named === undefined ? undefined : await host.replays.find(snapshot, named);
  if (replay) return replay;
  const dropped = snapshot.parked ? dropExpired(snapshot.parked, clock.now()) : [];
  const message: Stored = {
    id,
    role: 'user',
    // A copy: messages are frozen once they were laid out.
    content: typeof input.content === 'string' ? input.content : structuredClone(input.content),
    origin: input.origin ?? 'user',
    ...(input.sender && { sender: input.sender }),
  };
  const begun = begin(host, { snapshot, dropped, current: [message], running, named: named !== undefined });
  const { turn, history } = begun;
  return guarded(host, begun, async () => {
    running.emit({ type: 'turn-start', id, atMs: turn.atMs, origin: message.origin });
    const faults = faultSink(turn, running.stop);
    for (const entry of host.hooks) {
      if (!entry.hook.beforeTurn) continue;
      const asked = callHook(entry, 'beforeTurn', () => entry.hook.beforeTurn?.(turn.as(entry.name)), faults);
      if (isPromiseLike(asked)) await asked;
    }
    const metBefore = await host.metBefore(turn.state);
    const { state, raised: events, atMs: nowMs } = turn;
    turn.signals = turnSignals({ conversation, state, events, input: message, history, nowMs, metBefore, repeats: host.repeats });
    const parts = await composeParts(host.hooks, (by) => turn.as(by), faults);
    turn.layout = { ...turn.layout, stable: fixStable(host, begun, parts.stable), volatile: parts.volatile };
    return finish(host, begun, running);
  });
}

/** A parked turn from its answer to its commit. */
export async function resumeTurn(
  host: TurnHost,
  { parked, answer, settled, attempt }: Pick<OpenCall, 'answer' | 'settled'> & { readonly parked: Parked; readonly attempt: Attempt },
  running: Running,
): Promise<TurnResult> {
  const snapshot = await host.lane.load(host.conversation);
  const [input, ...rest] = parked.current;
  if (!input) throw new TurnParkedError(parked.request);
  const begun = begin(host, { snapshot, dropped: [], current: [input, ...rest], running, named: false });
  const { turn } = begun;
  return guarded(host, begun, async () => {
    running.emit({ type: 'turn-start', id: input.id, atMs: turn.atMs, origin: input.origin });
    const parts = await composeParts(host.hooks, (by) => turn.as(by), faultSink(turn, running.stop));
    // The notes of this turn were said before it waited; saying others now would change the middle of the prompt.
    const volatile = host.options.placement === 'leading' ? parts.volatile : partsSaid(snapshot.blocks, input.id);
    turn.layout = { ...turn.layout, stable: fixStable(host, begun, parts.stable), volatile };
    return finish(host, begun, running, {
      callId: parked.callId,
      answer,
      settled,
      onCalled() {
        attempt.started = true;
      },
      onResult(result) {
        const operations = turn.operations.filter(({ by }) => by.startsWith('tool:'));
        if (attempt.started) Object.assign(attempt, { outcome: result, operations });
      },
    });
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
    named,
  }: {
    readonly snapshot: Snapshot;
    readonly dropped: readonly Stored[];
    readonly current: readonly [Stored, ...Stored[]];
    readonly running: Running;
    readonly named: boolean;
  },
): Begun {
  const { placement = 'kept-on-change' } = host.options;
  const said = dropped.length > 0 ? [...snapshot.history, ...dropped] : snapshot.history;
  const history = host.paired.has(said) ? said : repairPairs(said);
  const toolSet = host.toolSet(running.tools);
  const layout: Layout = { stable: {}, tools: toolSet.specs, history, blocks: snapshot.blocks, volatile: {}, current, placement };
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
    borrowers: host.borrowers,
    keep: host.lane.keep,
    onTrace(entry) {
      host.onTrace(entry);
      running.emit({ type: 'trace', entry });
    },
  });
  return { turn, named, snapshot, dropped: history === said ? dropped : [], history, model: host.model(), toolSet, startMs: turn.atMs };
}

async function finish(host: TurnHost, begun: Begun, running: Running, open?: OpenCall | undefined): Promise<TurnResult> {
  const { turn, snapshot, model, startMs } = begun;
  const { options, clock } = host;
  const faults = faultSink(turn, running.stop);
  const journal: Json[] = [];
  const outcome = await runSteps({
    place: turn,
    model,
    generation: options.generation ?? {},
    budgets: running.budgets,
    meter: options.meter,
    waitFor: options.waitFor,
    prefix: host.prefix,
    overhead: host.overhead,
    layOut: host.layOut,
    check: host.check,
    isHeard: running.isHeard,
    random: host.random,
    tools: begun.toolSet.byName,
    hooks: host.hooks,
    view: (by) => turn.as(by),
    signal: running.signal,
    stop: running.stop,
    outOfTime: running.outOfTime,
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
  if (options.journal)
    journal.push({ kind: 'parts', stable: { ...turn.layout.stable }, volatile: { ...turn.layout.volatile }, signals: [...turn.signals] });
  // What follows the answer is committed under another name; who rebuilds the turn finds it by these two.
  if (options.journal && outcome.pending)
    journal.push({ kind: 'parked', request: outcome.pending.request.id, transcriptRevision: snapshot.transcriptRevision + 1 });
  if (open) turn.apply({ unset: claimKey(host.conversation) }, 'the answer was used', 'runtime');
  const committed = await commitTurn(host, begun, outcome, batches, journal, open?.answer.id).catch((error) => {
    if (begun.named && isAgentosError(error) && error.code === 'transcript_conflict') return error;
    throw error;
  });
  if (isAgentosError(committed)) return committedBefore(host, turn.start.id, committed);
  if (committed.replayed) return committedBefore(host, turn.start.id, new TurnIdUsedError(turn.start.id));
  host.replays.note(turn.start.id, snapshot.transcriptRevision);
  host.paired.add(committed.history);
  const { inputTokens, outputTokens } = outcome.usage;
  host.metric({
    type: 'run',
    model: model.modelId,
    turns: outcome.steps,
    toolCalls: outcome.toolCalls.length,
    totalTokens: inputTokens + outputTokens,
    ms: clock.now() - startMs,
  });
  return turnResult(turn, snapshot, outcome, batches, committed);
}

/** Another process was first with this turn: its answer is the one that stands in the transcript. @throws `otherwise` when none does. */
async function committedBefore(host: TurnHost, id: string, otherwise: AgentosError): Promise<TurnResult> {
  const before = await host.replays.find(await host.lane.load(host.conversation), id);
  if (!before) throw otherwise;
  return before;
}

/** A question that expired no longer blocks the conversation: its call is closed, its turn enters the history. */
function dropExpired(parked: Parked, nowMs: number): readonly Stored[] {
  if (parked.request.expiresAtMs === undefined || nowMs <= parked.request.expiresAtMs) throw new TurnParkedError(parked.request);
  return closeParked(parked, 'expired');
}

/** The messages of a turn that waited, with its question answered by why it is over. */
export function closeParked(parked: Parked, why: string): readonly Stored[] {
  const content = `${why}: ${parked.request.prompt}`;
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

function faultSink(turn: TurnState, signal: AbortSignal): CallOptions {
  return {
    signal,
    onFault: (message, error) => turn.trace({ type: 'WARNING', message, details: { problem: faultText(error) } }),
  };
}
