import type { Logged, TraitName } from '@x/core';
import { SEED_WHY, undoneBy } from './cause.js';
import { TRAIT_DECAY_KEY } from './trait-budget.js';
import { HEXACO_TRAITS } from './traits.js';

/** What the log of one session says about its traits. */
export interface LaneView {
  /** Ids of everything that was done in it. */
  readonly own: ReadonlySet<string>;
  /** Ids of changes, its own and others', that were taken back in it. */
  readonly undone: ReadonlySet<string>;
  /** The first entry; `undefined` when nothing has happened yet. */
  readonly beganMs: number | undefined;
  /** When its changes were first looked at for fading; before that nothing faded. */
  readonly firstDecayMs: number | undefined;
  /** Traits before their first change; absent for one that never changed, `undefined` for one that began as the persona has it. */
  readonly initial: ReadonlyMap<TraitName, number | undefined>;
}

export async function viewLane(operations: AsyncIterable<Logged>): Promise<LaneView> {
  const own = new Set<string>();
  const undone = new Set<string>();
  const initial = new Map<TraitName, number | undefined>();
  let beganMs: number | undefined;
  let firstDecayMs: number | undefined;
  for await (const { id, operation, why, from, atMs } of operations) {
    own.add(id);
    beganMs ??= atMs;
    if ('put' in operation && operation.put === TRAIT_DECAY_KEY) firstDecayMs ??= atMs;
    if (!('trait' in operation)) continue;
    const target = undoneBy(why);
    if (target !== undefined) undone.add(target);
    const trait = HEXACO_TRAITS.find((name) => name === operation.trait);
    if (trait !== undefined && !initial.has(trait)) initial.set(trait, why === SEED_WHY ? undefined : Number(from));
  }
  return { own, undone, beganMs, firstDecayMs, initial };
}
