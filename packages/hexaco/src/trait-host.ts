import { applyOperation, type Clock, INITIAL_STATE, systemClock } from '@x/core';
import type { TraitTarget } from './trait-budget.js';

/** Traits that a host keeps itself, for a loop that has no turns. One host is one session: the budget lives with it. */
export interface TraitHost {
  getPersonality(): { readonly [trait: string]: number };
  setPersonality(trait: string, value: number): void;
  readonly clock?: Clock | undefined;
}

/** Shows a host's traits as something that operations can be applied to. The host's own object is never written to. */
export function createHostTarget({ getPersonality, setPersonality, clock = systemClock }: TraitHost): () => TraitTarget {
  let values: typeof INITIAL_STATE.values = {};
  return () => ({
    atMs: clock.now(),
    get state() {
      return { ...INITIAL_STATE, traits: { ...getPersonality() }, values };
    },
    apply(operation) {
      const { state } = applyOperation({ ...INITIAL_STATE, traits: { ...getPersonality() }, values }, operation);
      values = state.values;
      if ('trait' in operation) setPersonality(operation.trait, state.traits[operation.trait] ?? 0.5);
    },
  });
}
