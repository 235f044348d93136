import { InvalidArgumentError } from './errors.js';
import type { HeldLane, PlacedOperation } from './memory-lane.js';
import { isOfKind, type Logged, type OperationKind } from './operations.js';

/**
 * The operations of some lanes in the order of their commits, read one by one, so that who needs only the first pays
 * for no more. What is committed after the first was asked for is not among them.
 *
 * @throws `invalid_argument` none of the lanes has an operation with the id `after`.
 */
export function* operationsOf(
  lanes: readonly HeldLane[],
  { after, kind }: { readonly after: string | undefined; readonly kind: OperationKind | undefined },
): Generator<Logged, void> {
  const from = after === undefined ? -1 : placeOf(lanes, after);
  const lists = lanes.map(({ operations, traits }) => {
    if (kind === undefined) return operations;
    return kind === 'trait' ? traits : operations.filter(({ entry }) => isOfKind(entry, kind));
  });
  for (const { place, entry } of inOrder(lists)) if (place > from) yield entry;
}

function placeOf(lanes: readonly HeldLane[], id: string): number {
  let place = -1;
  for (const { operations } of lanes) {
    const found = operations.findLast(({ entry }) => entry.id === id);
    if (found) place = Math.max(place, found.place);
  }
  if (place >= 0) return place;
  throw new InvalidArgumentError('after: no operation of this lane has this id. Leave it out to read from the first.');
}

/** Lists that are in order each, as one. Sessions mostly follow one another, so that lists are changed seldom. */
function* inOrder(lists: readonly (readonly PlacedOperation[])[]): Generator<PlacedOperation, void> {
  const runs = lists.filter((list) => list.length > 0).map((list) => ({ list, at: 0, end: list.length }));
  while (runs.length > 0) {
    let first = 0;
    let [lowest, second] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const [index, { list, at }] of runs.entries()) {
      const { place } = list[at]!;
      if (place < lowest) [first, lowest, second] = [index, place, lowest];
      else if (place < second) second = place;
    }
    const run = runs[first]!;
    for (; run.at < run.end && run.list[run.at]!.place < second; run.at += 1) yield run.list[run.at]!;
    if (run.at === run.end) runs.splice(first, 1);
  }
}
