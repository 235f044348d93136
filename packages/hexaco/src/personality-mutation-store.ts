import {
  AgentosError,
  type Clock,
  createId,
  isAgentosError,
  type LaneStore,
  logOperations,
  type Operation,
  type Random,
  systemClock,
  type TraitName,
} from '@x/core';
import { HEXACO_HOOK, isUpkeep, readCause, undoneBy, undoWhy } from './cause.js';
import { decayDelta, HALF_LIFE_DAYS } from './decay-trait.js';
import { TRAIT_DECAY_KEY } from './trait-budget.js';
import { HEXACO_TRAITS, readTraits, type Traits } from './traits.js';

/** There is no change of a trait with this id, or it was taken back before. */
export class MutationUnknownError extends AgentosError {
  override readonly name = 'MutationUnknownError';
  readonly code = 'mutation_unknown';
  readonly retryable = false;
}

/** One change of a trait, as the log holds it. */
export interface PersonalityMutation {
  /** Of the operation; what `undo` takes. */
  readonly id: string;
  readonly trait: TraitName;
  /** to - from. */
  readonly delta: number;
  readonly from: number;
  readonly to: number;
  /** Who did it: a tool, a hook, a host. */
  readonly by: string;
  readonly reasoning: string;
  /** The turns it rests on. */
  readonly evidence: readonly string[];
  readonly turn: string;
  readonly atMs: number;
  /** What is left of `delta`, 0 to 1; 0 when taken back. */
  readonly strength: number;
  readonly undone: boolean;
}

export interface PersonalityMutationStoreOptions {
  /** Of the persona and user at hand. Changes of all their sessions are seen, of nobody else's. */
  readonly lane: LaneStore;
  /** The persona's `personalityTraits`. */
  readonly personalityTraits?: { readonly [trait: string]: number } | undefined;
  /** False: later sessions start from the persona's scores. Default true. */
  readonly persistWithDecay?: boolean | undefined;
  /** Default 14. */
  readonly halfLifeDays?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/**
 * The changes of a persona's traits with one user: a view of the operation log, with no tables of its own. Each change
 * fades toward the persona's score by the wall time since it was made, so a restart neither hastens nor delays it.
 */
export class PersonalityMutationStore {
  readonly #lane: LaneStore;
  readonly #baseline: Traits;
  readonly #persist: boolean;
  readonly #halfLifeDays: number;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(options: PersonalityMutationStoreOptions) {
    const {
      lane,
      personalityTraits,
      persistWithDecay = true,
      halfLifeDays = HALF_LIFE_DAYS,
      clock = systemClock,
      random = Math.random,
    } = options;
    this.#lane = lane;
    this.#baseline = readTraits(personalityTraits).traits;
    this.#persist = persistWithDecay;
    this.#halfLifeDays = halfLifeDays;
    this.#clock = clock;
    this.#random = random;
  }

  /** Every change, oldest first; seeds of new lanes and steps of decay are no changes. */
  async list({ sessions = 'all' }: { readonly sessions?: 'this' | 'all' | undefined } = {}): Promise<readonly PersonalityMutation[]> {
    const nowMs = this.#clock.now();
    const found: Omit<PersonalityMutation, 'strength' | 'undone'>[] = [];
    const undone = new Set<string>();
    for await (const { id, operation, by, why, from, to, turn, atMs } of this.#lane.operations(undefined, { sessions })) {
      if (!('trait' in operation)) continue;
      const target = undoneBy(why);
      if (target !== undefined) undone.add(target);
      const trait = HEXACO_TRAITS.find((name) => name === operation.trait);
      if (trait === undefined || target !== undefined || isUpkeep(why)) continue;
      const [before, after] = [Number(from), Number(to)];
      found.push({ id, trait, delta: after - before, from: before, to: after, by, ...readCause(why, turn), turn, atMs });
    }
    return found.map((mutation) => {
      const taken = undone.has(mutation.id);
      return { ...mutation, undone: taken, strength: taken ? 0 : decayDelta(1, nowMs - mutation.atMs, this.#halfLifeDays) };
    });
  }

  /** The sum of what is left of all changes, by trait; traits without any are left out. */
  async effectiveDeltas(): Promise<{ readonly [K in TraitName]?: number }> {
    const sums: { [K in TraitName]?: number } = {};
    for (const { trait, delta, strength, undone } of await this.list()) {
      if (!undone) sums[trait] = (sums[trait] ?? 0) + delta * strength;
    }
    return sums;
  }

  /**
   * What a new session starts with: the persona's scores and what is left of earlier changes. Give it to the store as
   * the lane's initial state.
   */
  async startingTraits(): Promise<Traits> {
    if (!this.#persist) return this.#baseline;
    const deltas = await this.effectiveDeltas();
    return Object.fromEntries(
      HEXACO_TRAITS.map((trait) => [trait, Math.min(1, Math.max(0, this.#baseline[trait] + (deltas[trait] ?? 0)))]),
    ) as unknown as Traits;
  }

  /**
   * Takes a change back: what is left of it leaves this lane's trait, and later sessions do not see it any more.
   *
   * @throws {@link MutationUnknownError}; `revision_conflict` when eight tries met another writer each time.
   */
  async undo(id: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const mutation = (await this.list()).find((one) => one.id === id && !one.undone);
      if (!mutation) throw new MutationUnknownError('There is no such change, or it was taken back before. list() names them.');
      const { revision, state, events } = await this.#lane.load('main');
      const stamp = state.values[TRAIT_DECAY_KEY];
      const faded = typeof stamp === 'number' ? decayDelta(mutation.delta, stamp - mutation.atMs, this.#halfLifeDays) : mutation.delta;
      const operation: Operation = { trait: mutation.trait, delta: -faded };
      const turn = createId('undo', this.#random);
      const cause = { by: HEXACO_HOOK, why: undoWhy(id), turn, atMs: this.#clock.now() };
      const { logged } = logOperations(state, [operation], cause, () => createId('op', this.#random));
      try {
        await this.#lane.commit({ revision, turn, operations: logged, events, batches: { add: [], done: [] } });
        return;
      } catch (error) {
        if (attempt >= 8 || !isAgentosError(error) || error.code !== 'revision_conflict') throw error;
      }
    }
  }
}
