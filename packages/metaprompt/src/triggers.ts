import { type BatchItem, cooldownKey, type GMIEvent, type Json, manualTriggerKey, type Operation, turnCounterKey } from '@x/core';
import type { Triggered } from './check-definitions.js';
import { count } from './read-affect.js';
import { callsKey, TURNS_KEY } from './usage.js';

/** User turns for which an event that was answered wakes nothing again, unless the definition says otherwise. Ours. */
export const EVENT_COOLDOWN_TURNS = 10;

export interface TriggerInput {
  readonly definitions: readonly Triggered[];
  /** `state.values` of the lane. */
  readonly values: { readonly [key: string]: Json };
  readonly events: readonly GMIEvent[];
  /** True for a genuine user turn; only such turns are counted and only they let an interval fire. */
  readonly countTurn: boolean;
  /** True when somebody else than the owner spoke to a directory's agent: then only events wake. Default false. */
  readonly strangersTurn?: boolean | undefined;
  /** Tokens that the day's share still allows; `Infinity` for no limit. */
  readonly tokensLeft: number;
  /** Most tokens that one run of this metaprompt can use; 0 for a local one. */
  readonly estimateTokens: (definition: Triggered) => number;
}

/** The cause of a run that a host asked for. */
const MANUAL = 'manual';

/** Why a metaprompt that was woken does not run. */
export interface Suppressed {
  readonly id: string;
  readonly because: string;
  readonly reason: 'cooldown' | 'max_calls' | 'daily_tokens';
}

export interface TriggerDecision {
  readonly items: readonly BatchItem[];
  readonly operations: readonly { readonly operation: Operation; readonly why: string }[];
  /** Event types that somebody answered to, to be taken away after all had them. */
  readonly consumed: readonly string[];
  readonly suppressed: readonly Suppressed[];
}

/**
 * Decides which metaprompts run after a turn. Pure.
 *
 * Intervals fire on user turns N, 2N, 3N. An event reaches every metaprompt that waits for it. A manual flag wakes any
 * metaprompt once, also while it rests and whatever else wakes it in the same turn; it is lowered when the metaprompt
 * runs, not before. A metaprompt that is woken while it rests, has used up its runs, or would overdraw the day's share
 * is suppressed; its event counts as answered, since it will be stale by the time the rest is over.
 *
 * A stranger's turn passes time, so that rests end, but is no turn of an interval's, and a flag waits for the owner's.
 */
export function decideTriggers(input: TriggerInput): TriggerDecision {
  const { values, countTurn, strangersTurn = false } = input;
  const operations: { operation: Operation; why: string }[] = [];
  const items: BatchItem[] = [];
  const suppressed: Suppressed[] = [];
  const turn = count(values[TURNS_KEY]) + (countTurn ? 1 : 0);
  const pending = new Set(input.events.map((event) => event.eventType));
  let tokensLeft = input.tokensLeft;
  if (countTurn) operations.push({ operation: { put: TURNS_KEY, value: turn }, why: 'user turn' });

  for (const definition of input.definitions) {
    const { id } = definition;
    const asked = !strangersTurn && Boolean(values[manualTriggerKey(id)]);
    const because = wake(definition, { values, pending, asked, counts: countTurn && !strangersTurn }, operations);
    if (because === undefined) continue;
    const calls = count(values[callsKey(id)]);
    const tokens = input.estimateTokens(definition);
    const reason = hindrance(definition, { values, asked, turn, calls, tokens, tokensLeft });
    if (reason !== undefined) {
      suppressed.push({ id, because, reason });
      continue;
    }
    tokensLeft -= tokens;
    items.push({ id, because });
    if (asked) operations.push({ operation: { unset: manualTriggerKey(id) }, why: 'manual flag answered' });
    operations.push({ operation: { put: cooldownKey(id), value: turn }, why: because });
    operations.push({ operation: { put: callsKey(id), value: calls + 1 }, why: because });
  }
  const answered = input.definitions.flatMap(({ trigger }) => (trigger.type === 'event_based' ? [trigger.eventName] : []));
  return { items, operations, suppressed, consumed: [...new Set(answered)].filter((name) => pending.has(name)) };
}

function wake(
  { id, trigger }: Triggered,
  now: { values: TriggerInput['values']; pending: ReadonlySet<string>; asked: boolean; counts: boolean },
  operations: { operation: Operation; why: string }[],
): string | undefined {
  const { values, pending, asked, counts } = now;
  if (trigger.type === 'event_based' && pending.has(trigger.eventName)) return `event ${trigger.eventName}`;
  if (trigger.type !== 'turn_interval' || !counts) return asked ? MANUAL : undefined;
  const interval = Math.floor(trigger.intervalTurns);
  const passed = count(values[turnCounterKey(id)]) + 1;
  const due = passed >= interval;
  operations.push({ operation: { put: turnCounterKey(id), value: due ? 0 : passed }, why: due ? 'interval reached' : 'user turn' });
  return due ? `every ${interval} turns` : asked ? MANUAL : undefined;
}

function hindrance(
  { id, trigger, cooldownTurns, maxCallsPerSession }: Triggered,
  now: { values: TriggerInput['values']; asked: boolean; turn: number; calls: number; tokens: number; tokensLeft: number },
): Suppressed['reason'] | undefined {
  const last = now.values[cooldownKey(id)];
  const rest = cooldownTurns ?? (trigger.type === 'event_based' ? EVENT_COOLDOWN_TURNS : 0);
  if (!now.asked && typeof last === 'number' && rest > 0 && now.turn - last <= rest) return 'cooldown';
  if (maxCallsPerSession !== undefined && now.calls >= maxCallsPerSession) return 'max_calls';
  return now.tokens > now.tokensLeft ? 'daily_tokens' : undefined;
}
