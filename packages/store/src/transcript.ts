import type { Stored } from '@x/core';

/**
 * What a history is made of after a fold: messages that only the fold knows, and runs of originals `[first, last]`.
 * All originals from `tail` on follow, those of later turns too.
 */
export interface Fold {
  readonly segments: readonly (Stored | readonly [first: number, last: number])[];
  readonly tail: number;
}

/** The lowest place that a history needs to be read from. */
export function firstSeq({ segments, tail }: Fold): number {
  return Math.min(tail, ...segments.flatMap((segment) => (isRun(segment) ? [segment[0]] : [])));
}

/**
 * Says a new history in terms of the originals: those that are still in it are pointed at, what else there is is kept
 * beside them. The originals themselves stay as they are.
 *
 * @param originals - Those that the old history could show, by place.
 * @param nextSeq - The place that the next original gets.
 */
export function planFold(originals: ReadonlyMap<number, Stored>, replace: readonly Stored[], nextSeq: number): Fold {
  const places = new Map<string, number[]>();
  for (const [seq, message] of originals) {
    const body = JSON.stringify(message);
    const same = places.get(body);
    if (same) same.push(seq);
    else places.set(body, [seq]);
  }
  const segments: (Stored | [number, number])[] = [];
  for (const message of replace) {
    const seq = places.get(JSON.stringify(message))?.shift();
    const last = segments.at(-1);
    if (seq === undefined) segments.push(message);
    else if (last !== undefined && isRun(last) && last[1] === seq - 1) last[1] = seq;
    else segments.push([seq, seq]);
  }
  const last = segments.at(-1);
  if (last !== undefined && isRun(last) && last[1] === nextSeq - 1) {
    segments.pop();
    return { segments, tail: last[0] };
  }
  return { segments, tail: nextSeq };
}

/** The history that a fold stands for. `originals`: the readable ones from {@link firstSeq} on, by place. */
export function unfold({ segments, tail }: Fold, originals: ReadonlyMap<number, Stored>, nextSeq: number): readonly Stored[] {
  const history: Stored[] = [];
  const take = (first: number, last: number): void => {
    for (let seq = first; seq <= last; seq += 1) {
      const message = originals.get(seq);
      if (message) history.push(message);
    }
  };
  for (const segment of segments) {
    if (isRun(segment)) take(segment[0], segment[1]);
    else history.push(segment);
  }
  take(tail, nextSeq - 1);
  return history;
}

function isRun<T extends readonly [number, number]>(segment: Stored | T): segment is T {
  return Array.isArray(segment);
}
