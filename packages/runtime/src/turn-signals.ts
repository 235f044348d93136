import { type AgentState, type GMIEvent, type Json, KEYS, type Stored, textOf } from '@x/core';

/** Where the runtime keeps what the last turn of each conversation left for the next one's signals. */
export const LAST_TURN_KEY = 'gmi_last_turn';

/** Where a process says that it works on an answer; taken away by the commit of the turn. */
export const claimKey = (conversation: string): string => `gmi_answered_${conversation}`;

/** How long a user must have been away to count as returning: six hours. The figure is ours. */
export const RETURNING_AFTER_MS = 6 * 60 * 60_000;

export interface SignalInput {
  readonly conversation: string;
  readonly state: AgentState;
  readonly events: readonly GMIEvent[];
  readonly input: Stored;
  readonly history: readonly Stored[];
  readonly nowMs: number;
  /** True when this persona and user met in another session. */
  readonly metBefore: boolean;
  /** As {@link createRepeats} makes it. */
  readonly repeats: (text: string, history: readonly Stored[]) => boolean;
}

/**
 * What can be told of a turn before its prompt is composed: the types of its events, and
 * - `first_turn`: the first genuine user turn of the lane;
 * - `returning_user`: back after six hours or more, or known from another session;
 * - `tool_failed`: a tool of the last turn failed;
 * - `repeated_question`: the text is one of the user's last five again, or nearly;
 * - `after_fold`: the history was folded in the last turn.
 */
export function turnSignals({ conversation, state, events, input, history, nowMs, metBefore, repeats }: SignalInput): readonly string[] {
  const signals = new Set(events.map((event) => event.eventType));
  const last = lastTurn(state, conversation);
  if (last.includes('tool_failed')) signals.add('tool_failed');
  if (last.includes('after_fold')) signals.add('after_fold');
  if (input.origin !== 'user') return [...signals];
  const turns = numberAt(state, KEYS.turnCount) ?? 0;
  if (turns === 0) signals.add('first_turn');
  const lastAtMs = numberAt(state, KEYS.lastTurnAtMs);
  if (metBefore || (turns > 0 && lastAtMs !== undefined && nowMs - lastAtMs >= RETURNING_AFTER_MS)) signals.add('returning_user');
  if (repeats(textOf(input), history)) signals.add('repeated_question');
  return [...signals];
}

/** What the last turn of a conversation left behind, out of `tool_failed` and `after_fold`. */
export function lastTurn(state: AgentState, conversation: string): readonly string[] {
  const all = state.values[LAST_TURN_KEY];
  if (typeof all !== 'object' || all === null || Array.isArray(all)) return [];
  const own: Json | undefined = Object.hasOwn(all, conversation) ? (all as { readonly [key: string]: Json })[conversation] : undefined;
  return Array.isArray(own) ? own.map(String) : [];
}

export function numberAt(state: AgentState, key: string): number | undefined {
  const value = Object.hasOwn(state.values, key) ? state.values[key] : undefined;
  return typeof value === 'number' ? value : undefined;
}
