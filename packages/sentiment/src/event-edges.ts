import type { Json } from '@x/core';
import type { FoundEvent } from './found-event.js';

/** By event type: the user turn in which it was last raised, and the last one in which its condition held. */
export type EventEdges = { readonly [eventType: string]: { readonly raised: number; readonly held: number } };

/** Reads stored edges; what does not fit is left out. */
export function readEdges(value: Json | undefined): EventEdges {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const entries = Object.entries(value as { readonly [key: string]: Json }).flatMap(([type, edge]) => {
    const { raised, held } = (typeof edge === 'object' && edge !== null ? edge : {}) as { raised?: Json; held?: Json };
    return typeof raised === 'number' && typeof held === 'number' ? [[type, { raised, held }] as const] : [];
  });
  return Object.fromEntries(entries);
}

/**
 * Lets an event through in the first turn of a run, and again once it has lasted `cooldownTurns` turns since.
 *
 * @param turn - The number of the user turn, from 1.
 * @param cooldownTurns - 0 lets every turn of a run through.
 * @returns The same edges when nothing was found.
 */
export function passEdges(
  found: readonly FoundEvent[],
  edges: EventEdges,
  turn: number,
  cooldownTurns: number,
): { readonly raised: readonly FoundEvent[]; readonly edges: EventEdges } {
  if (found.length === 0) return { raised: [], edges };
  const raised: FoundEvent[] = [];
  const next: Record<string, { raised: number; held: number }> = { ...edges };
  for (const event of found) {
    const last = edges[event.eventType];
    const goesOn = last !== undefined && last.held === turn - 1;
    const passes = !goesOn || turn - last.raised >= cooldownTurns;
    if (passes) raised.push(event);
    next[event.eventType] = { raised: passes || last === undefined ? turn : last.raised, held: turn };
  }
  return { raised, edges: next };
}
