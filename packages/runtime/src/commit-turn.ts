import { answerTurnId, type Batch, createId, isPromiseLike, type Json, KEYS, type Snapshot } from '@x/core';
import { type CallOptions, callHook } from './hook-list.js';
import type { Committed, LaneChange } from './lane-state.js';
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
    const asked = callHook(entry, 'afterTurn', () => entry.hook.afterTurn?.(turn.as(entry.name)), faults);
    const said = isPromiseLike(asked) ? await asked : asked;
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

/** Puts everything that the turn gathered into one commit; `answerId` is that of the answer with which a parked turn went on. */
export async function commitTurn(
  host: TurnHost,
  { turn, named, snapshot, history: begunWith, dropped }: Begun,
  outcome: StepsOutcome,
  batches: readonly Batch[],
  journal: readonly Json[],
  answerId: string | undefined,
): Promise<Committed> {
  const { history, current, blocks } = turn.layout;
  const appended = history === begunWith ? dropped : [];
  const replaced = history !== snapshot.history && appended.length === 0;
  const parked = outcome.pending && { turn: turn.start.id, current, callId: outcome.pending.callId, request: outcome.pending.request };
  const change: Omit<LaneChange, 'turn'> = {
    named,
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
  };
  if (answerId === undefined) return host.lane.commit({ turn: turn.start.id, ...change });
  const committed = await host.lane.commit({ ...change, turn: answerTurnId(turn.start.id, answerId) });
  if (!committed.replayed) return committed;
  // A tool may ask under the same id twice in one turn: then that was the commit of the first answer.
  const now = await host.lane.load(host.conversation);
  if (now.transcriptRevision !== snapshot.transcriptRevision) return committed;
  return host.lane.commit({ ...change, turn: answerTurnId(`${turn.start.id}:${now.transcriptRevision}`, answerId) });
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
