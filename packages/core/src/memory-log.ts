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

/**
 * Lists that are in order each, as one. Sessions mostly follow one another, so that few lists are read at a time: one is
 * taken up when its first operation is due. Where a user has hundreds of sessions, all of them are not looked at for each.
 */
function* inOrder(lists: readonly (readonly PlacedOperation[])[]): Generator<PlacedOperation, void> {
  const waiting = lists.filter((list) => list.length > 0).sort((a, b) => a[0]!.place - b[0]!.place);
  const ends = waiting.map((list) => list.length);
  const runs: Run[] = [];
  let next = 0;
  for (;;) {
    let run = runs[0];
    for (const other of runs) if (placeIn(other) < placeIn(run)) run = other;
    if (placeIn(run) > (waiting[next]?.[0]?.place ?? Number.POSITIVE_INFINITY)) {
      run = { list: waiting[next]!, at: 0, end: ends[next]! };
      runs.push(run);
      next += 1;
    }
    if (run === undefined) return;
    yield run.list[run.at]!;
    run.at += 1;
    if (run.at === run.end) runs.splice(runs.indexOf(run), 1);
  }
}

/** A list that is being read. */
interface Run {
  readonly list: readonly PlacedOperation[];
  at: number;
  /** What is added behind it is not read. */
  readonly end: number;
}

const placeIn = (run: Run | undefined): number => run?.list[run.at]?.place ?? Number.POSITIVE_INFINITY;
