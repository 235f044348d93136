import { type Batch, createId, type Json, KEYS, type Snapshot } from '@x/core';
import { type CallOptions, callHook } from './hook-list.js';
import type { Committed } from './lane-state.js';
import type { TurnResult } from './session-types.js';
import type { StepsOutcome } from './tally.js';
import type { Begun, TurnHost } from './turn-host.js';
import { LAST_TURN_KEY, lastTurn, numberAt } from './turn-signals.js';
import type { TurnState } from './turn-state.js';

/** Counters, then what the features want to run in the background. Pure: no model call, nothing written yet. */
export async function trigger(host: TurnHost, turn: TurnState, outcome: StepsOutcome, faults: CallOptions): Promise<readonly Batch[]> {
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

/** Puts everything that the turn gathered into one commit. */
export async function commitTurn(
  host: TurnHost,
  { turn, snapshot, history: begunWith, dropped }: Begun,
  outcome: StepsOutcome,
  batches: readonly Batch[],
  journal: readonly Json[],
  answered: boolean,
): Promise<Committed> {
  const { history, current, blocks } = turn.layout;
  const appended = history === begunWith ? dropped : [];
  const replaced = history !== snapshot.history && appended.length === 0;
  const parked = outcome.pending && { turn: turn.start.id, current, callId: outcome.pending.callId, request: outcome.pending.request };
  return host.lane.commit({
    // A parked turn has committed under its own id before.
    turn: answered ? createId(turn.start.id, host.random) : turn.start.id,
    conversation: host.conversation,
    operations: turn.operations,
    made: { on: snapshot.revision, state: turn.state },
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
        stableHash: host.stable.owner.hash ?? snapshot.stableHash ?? '',
        ...(parked && { parked }),
      },
    },
  });
}

export function turnResult(
  turn: TurnState,
  snapshot: Snapshot,
  outcome: StepsOutcome,
  batches: readonly Batch[],
  { logged, state }: Committed,
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

/** The answer of a turn that was committed before, read from the transcript. */
export function replayed(snapshot: Snapshot, id: string): TurnResult | undefined {
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
