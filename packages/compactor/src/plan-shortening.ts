import type { HistoryView } from './history-index.js';
import { firstAbove } from './int-list.js';

/** A result that is to become at most `toTokens` long. */
export interface Shortening {
  readonly index: number;
  readonly toTokens: number;
}

/** Results above this size, older than the tail, may be pruned; and what is left of one. */
const PRUNE_OVER = 200;
const PRUNE_TO = 100;
/** Large results before the tail. */
export function prune(view: HistoryView, before: number): Shortening[] {
  const list: Shortening[] = [];
  for (const index of view.results) {
    if (index >= before) break;
    if (index >= view.foldEnd && sizeOf(view, index) > PRUNE_OVER) list.push({ index, toTokens: PRUNE_TO });
  }
  return list;
}

/**
 * Shortens results from `from` on until `excess` is saved: first each to `cap`, the oldest first; the results of the
 * newest step last, for the model has not read them yet.
 */
export function shortenTail(
  view: HistoryView,
  from: number,
  excess: number,
  cap: number,
): { saved: number; shorten: readonly Shortening[] } {
  const shorten: Shortening[] = [];
  let saved = 0;
  const tail = [...view.results].filter((index) => index >= from && sizeOf(view, index) > cap);
  const newestGroup = view.groups[view.messages.length - 1] ?? 0;
  const old = tail.filter((index) => view.groups[index]! < newestGroup);
  const fresh = tail.filter((index) => view.groups[index]! >= newestGroup);
  for (const group of [old, fresh]) {
    const over = group.reduce((sum, index) => sum + sizeOf(view, index) - cap, 0);
    if (saved >= excess || over === 0) continue;
    // Large ones give more: one level for all, found by halving.
    let low = cap;
    let high = Math.max(...group.map((index) => sizeOf(view, index)));
    while (high - low > 1) {
      const level = (low + high) >> 1;
      const gain = group.reduce((sum, index) => sum + Math.max(0, sizeOf(view, index) - level), 0);
      if (saved + gain >= excess) low = level;
      else high = level;
    }
    for (const index of group) {
      const size = sizeOf(view, index);
      if (size <= low) continue;
      shorten.push({ index, toTokens: low });
      saved += size - low;
    }
  }
  return { saved, shorten };
}

/** What capping every result to `cap` saves from a message on; read from the end, once. */
export function savingsFrom(view: HistoryView, from: number, cap: number): (index: number) => number {
  const at: number[] = [];
  const sums: number[] = [];
  let sum = 0;
  for (let position = view.results.length - 1; position >= 0; position -= 1) {
    const index = view.results[position]!;
    if (index < from) break;
    sum += Math.max(0, sizeOf(view, index) - cap);
    at.push(index);
    sums.push(sum);
  }
  at.reverse();
  sums.reverse();
  return (index) => sums[firstAbove(at, index - 1)] ?? 0;
}

export function sizeOf(view: HistoryView, index: number): number {
  return view.sums[index + 1]! - view.sums[index]!;
}
