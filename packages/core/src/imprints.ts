import type { Json } from './json.js';
import { KEYS } from './reserved-keys.js';
import type { AgentState } from './state.js';
import { ownValue } from './values.js';

type Held = Pick<AgentState, 'imprints' | 'values'>;

/** Bounds of imprints: at most 64 of them, keys to 128 characters, values to 4,096 characters of JSON. The figures are ours. */
export const IMPRINT_LIMITS = { maxEntries: 64, maxKeyChars: 128, maxValueChars: 4096 } as const;

/** The imprints in the order they were learned, oldest first; one that was learned again is young again. */
export function imprintEntries({ imprints, values }: Held): readonly (readonly [key: string, value: Json])[] {
  const order = ownValue(values, KEYS.imprintOrder);
  if (!Array.isArray(order)) return Object.entries(imprints);
  const places = new Map((order as readonly Json[]).map((key, place) => [key, place]));
  // What the order does not name was there before it was kept.
  const place = (key: string): number => places.get(key) ?? -1;
  return Object.entries(imprints).sort(([a], [b]) => place(a) - place(b));
}

/** The imprints that must leave before one of this key can be kept, oldest first. */
export function imprintsInTheWay(state: Held, key: string): readonly string[] {
  const others = imprintEntries(state).flatMap(([name]) => (name === key ? [] : [name]));
  return others.slice(0, Math.max(0, others.length + 1 - IMPRINT_LIMITS.maxEntries));
}

/** The state with these imprints, in this order. */
export function withImprints<S extends Held>(state: S, entries: readonly (readonly [key: string, value: Json])[]): S {
  const { [KEYS.imprintOrder]: _order, ...values } = state.values;
  const imprints = Object.fromEntries(entries);
  // An object lists keys that are whole numbers first, whenever they came; only then is the order written down.
  if (!entries.some(([key]) => WHOLE_NUMBER.test(key))) return { ...state, imprints, values: _order === undefined ? state.values : values };
  return { ...state, imprints, values: { ...values, [KEYS.imprintOrder]: entries.map(([key]) => key) } };
}

const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,9})$/;
