import fc from 'fast-check';
import { expect, test } from 'vitest';
import { INITIAL_STATE } from './index.js';
import { emptyLane, type HeldLane } from './memory-lane.js';
import { operationsOf } from './memory-log.js';
import { isOfKind, type Logged, type Operation } from './operations.js';

function laneOf(places: readonly number[]): HeldLane {
  const lane = emptyLane(INITIAL_STATE);
  for (const place of places) {
    const placed = { place, entry: logged(place) };
    lane.operations.push(placed);
    if (isOfKind(placed.entry, 'trait')) lane.traits.push(placed);
  }
  return lane;
}

function logged(place: number): Logged {
  const operation: Operation = place % 3 === 0 ? { trait: 'openness', delta: 0.1 } : { put: 'n', value: place };
  return { id: `op-${place}`, operation, by: 'test', why: 'test', from: null, to: place, turn: 't', atMs: 0 };
}

const ids = (entries: Iterable<Logged>): readonly string[] => [...entries].map(({ id }) => id);

test('lanes whose commits took turns are read in the order of the commits, from any point on, all or of one kind', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 4 }), { maxLength: 60 }), fc.nat({ max: 70 }), fc.boolean(), (owners, start, traits) => {
      const lanes = [0, 1, 2, 3, 4].map((owner) => laneOf(owners.flatMap((one, place) => (one === owner ? [place] : []))));
      const after = start < owners.length ? `op-${start}` : undefined;
      const wanted = owners.flatMap((_, place) =>
        (after === undefined || place > start) && (!traits || place % 3 === 0) ? [`op-${place}`] : [],
      );
      expect(ids(operationsOf(lanes, { after, kind: traits ? 'trait' : undefined }))).toEqual(wanted);
    }),
  );
});

test('the first operation of many lanes is found without reading the others', () => {
  let read = 0;
  const lanes = [0, 1, 2].map((owner) => {
    const lane = laneOf(Array.from({ length: 100 }, (_, index) => owner * 100 + index));
    for (const one of lane.operations) {
      const { entry } = one;
      const get = (): Logged => {
        read += 1;
        return entry;
      };
      Object.defineProperty(one, 'entry', { get });
    }
    return lane;
  });
  expect(operationsOf(lanes, { after: undefined, kind: undefined }).next().value).toMatchObject({ id: 'op-0' });
  expect(read).toBe(1);
});

test('what is committed while operations are read is not among them', () => {
  const lane = laneOf([0, 1]);
  const reading = operationsOf([lane], { after: undefined, kind: undefined });
  reading.next();
  lane.operations.push({ place: 2, entry: logged(2) });
  expect(ids(reading)).toEqual(['op-1']);
});
