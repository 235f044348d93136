import { type Json, ownValue } from '@x/core';
import type { CompiledElement } from './compile-elements.js';
import type { TextTest } from './compile-text.js';
import { drawChance } from './draw-chance.js';
import type { MatchContext } from './match-context.js';
import type { ElementTiming } from './prompt-context.js';
import type { ElementVerdict } from './select-elements.js';

/**
 * Whether a text criterion stands in this turn: it stands while it sticks, does not while it rests, and otherwise by
 * what was said and by chance. A match that comes while it sticks does not make it stick longer.
 */
export function textStanding(key: string, test: TextTest, context: MatchContext): ElementVerdict {
  const turn = context.turn ?? 0;
  const timing = context.source.elementTiming;
  const known = timing && ownValue(timing, key);
  if (known && turn <= known.until) return { in: true, because: 'sticky' };
  if (known && turn <= known.restUntil) return { in: false, because: 'resting', path: test.path };
  if (turn <= test.delay && test.delay > 0) return { in: false, because: 'delayed', path: test.path };
  if (!test.occurs(context)) return { in: false, because: 'text', path: test.path };
  const seed = `${context.source.seed ?? ''}\n${turn}\n${key}`;
  if (test.probability < 1 && drawChance(seed) >= test.probability) return { in: false, because: 'chance', path: test.path };
  return { in: true, because: 'matched' };
}

/**
 * The timing after a turn: elements chosen in it begin to stick and rest, entries that are over leave.
 *
 * @returns The same object when nothing changed.
 */
export function nextTiming(timing: ElementTiming, chosen: readonly CompiledElement[], turn: number): ElementTiming {
  const started = chosen.filter(({ key, criteria: { text } }) => {
    return text !== undefined && text.sticky + text.cooldown > 0 && !(turn <= (ownValue(timing, key)?.until ?? -Infinity));
  });
  const kept = Object.entries(timing).filter(([, { restUntil }]) => restUntil >= turn);
  if (started.length === 0 && kept.length === Object.keys(timing).length) return timing;
  const entries = started.map(({ key, criteria: { text } }) => {
    const until = turn + (text?.sticky ?? 0);
    return [key, { until, restUntil: until + (text?.cooldown ?? 0) }] as const;
  });
  return Object.fromEntries([...kept, ...entries]);
}

/** Reads stored timing; what has another shape is dropped. */
export function readTiming(value: Json | undefined): ElementTiming {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter(([, entry]) => {
      const times = entry as { readonly until?: unknown; readonly restUntil?: unknown } | null;
      return typeof times?.until === 'number' && typeof times.restUntil === 'number';
    }),
  ) as ElementTiming;
}
