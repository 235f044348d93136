import {
  AgentosError,
  type AgentState,
  type Clock,
  createId,
  isAgentosError,
  type LaneStore,
  logOperations,
  type Operation,
  ownValue,
  type Random,
  systemClock,
  type TraitName,
} from '@x/core';
import { HEXACO_HOOK, isUpkeep, readCause, undoneBy, undoWhy } from './cause.js';
import { checkFigures } from './check-options.js';
import { decayDelta, HALF_LIFE_DAYS } from './decay-trait.js';
import { inheritedChanges, lossWithout } from './inherited-changes.js';
import { type LaneView, viewLane } from './lane-view.js';
import { TRAIT_DECAY_KEY } from './trait-budget.js';
import { HEXACO_TRAITS, readTraits, type Traits, traitOf } from './traits.js';

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
  /** What is left of `delta` for a session that is opened now, 0 to 1; 0 when taken back. */
  readonly strength: number;
  /** Taken back, in whichever session. */
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
    checkFigures({ halfLifeDays });
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
    return (await this.#read(sessions)).map(({ undoneMs, ...mutation }) => {
      const undone = undoneMs !== undefined;
      return { ...mutation, undone, strength: undone ? 0 : decayDelta(1, nowMs - mutation.atMs, this.#halfLifeDays) };
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
   * Takes a change back: what this session holds of it leaves its trait, and later sessions do not see it any more. Of a
   * change that another session made it holds what it brought along when it was opened, which may be nothing. The session
   * that made the change keeps its own part until it is taken back there too.
   *
   * @throws {@link MutationUnknownError}; `revision_conflict` when eight tries met another writer each time.
   */
  async undo(id: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const { revision, state, events } = await this.#lane.load('main');
      const { trait, part } = await this.#heldPart(id, state);
      const own = ownValue(state.traits, trait) ?? 0.5;
      const operation: Operation = { trait, delta: traitOf(state.traits, trait, this.#baseline) - part - own };
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

  /** How much of the lane's trait is due to one change. */
  async #heldPart(id: string, state: AgentState): Promise<{ readonly trait: TraitName; readonly part: number }> {
    const changes = await this.#read('all');
    const lane = await viewLane(this.#lane.operations());
    const mutation = changes.find((one) => one.id === id);
    const made = mutation && (lane.own.has(id) ? mutation.delta : this.#broughtAlong(mutation, changes, lane, state));
    if (!mutation || !made || lane.undone.has(id)) {
      if (mutation && mutation.undoneMs === undefined) return { trait: mutation.trait, part: 0 };
      throw new MutationUnknownError('There is no such change, or it was taken back before. list() names them.');
    }
    const stamp = state.values[TRAIT_DECAY_KEY];
    const heldSinceMs = Math.max(lane.own.has(id) ? mutation.atMs : (lane.beganMs ?? this.#clock.now()), lane.firstDecayMs ?? 0);
    return { trait: mutation.trait, part: typeof stamp === 'number' ? decayDelta(made, stamp - heldSinceMs, this.#halfLifeDays) : made };
  }

  #broughtAlong({ id, trait }: Dated, changes: readonly Dated[], lane: LaneView, state: AgentState): number {
    // What was taken back here had been brought along, so it was not taken back before.
    const foreign = changes
      .filter((one) => one.trait === trait && !lane.own.has(one.id))
      .map((one) => (lane.undone.has(one.id) ? { ...one, undoneMs: undefined } : one));
    const baseline = this.#baseline[trait];
    const first = lane.initial.has(trait) ? lane.initial.get(trait) : ownValue(state.traits, trait);
    const beginning = { initial: first ?? baseline, baseline, byMs: lane.beganMs ?? this.#clock.now() };
    const held = [...inheritedChanges(foreign, beginning, this.#halfLifeDays)].filter(([one]) => !lane.undone.has(one));
    return lossWithout(id, new Map(held), baseline);
  }

  async #read(sessions: 'this' | 'all'): Promise<readonly Dated[]> {
    const found: Omit<Dated, 'undoneMs'>[] = [];
    const undone = new Map<string, number>();
    for await (const { id, operation, by, why, from, to, turn, atMs } of this.#lane.operations(undefined, { sessions, kind: 'trait' })) {
      if (!('trait' in operation)) continue;
      const target = undoneBy(why);
      if (target !== undefined && !undone.has(target)) undone.set(target, atMs);
      const trait = HEXACO_TRAITS.find((name) => name === operation.trait);
      if (trait === undefined || target !== undefined || isUpkeep(why)) continue;
      const [before, after] = [Number(from), Number(to)];
      found.push({ id, trait, delta: after - before, from: before, to: after, by, ...readCause(why, turn), turn, atMs });
    }
    return found.map((change) => ({ ...change, undoneMs: undone.get(change.id) }));
  }
}

/** A change with the time when it was first taken back. */
type Dated = Omit<PersonalityMutation, 'strength' | 'undone'> & { readonly undoneMs: number | undefined };
