import type { IPersonaDefinition, TurnHook } from '@x/core';
import { HEXACO_HOOK, SEED_WHY } from './cause.js';
import { checkFigures } from './check-options.js';
import { describeMovedTraits, describeTraits } from './describe-traits.js';
import { decayTraits, moveTo } from './trait-budget.js';
import { currentTraits, HEXACO_TRAITS, readTraits } from './traits.js';

export interface HexacoHookOptions {
  readonly persona: Pick<IPersonaDefinition, 'personalityTraits'>;
  /** Days until half of a change is left; default 14. */
  readonly halfLifeDays?: number | undefined;
}

/** Changes fade in steps of at least this many milliseconds (an hour), so that the log does not fill with crumbs. Ours. */
const DECAY_STEP_MS = 3_600_000;

/**
 * Puts the persona's traits into the prompt: its own scores into the stable part `traits`, the same bytes for every user
 * and session of the persona; what has moved away from them into the volatile part `traits`.
 *
 * Before each turn it gives a new lane the persona's scores, and lets changes fade by the wall time that has passed.
 */
export function hexacoHook({ persona, halfLifeDays }: HexacoHookOptions): TurnHook {
  checkFigures({ halfLifeDays });
  const { traits: baseline, named, problems } = readTraits(persona.personalityTraits);
  const stable = describeTraits(Object.fromEntries(named.map((trait) => [trait, baseline[trait]])));
  let told = false;
  return {
    name: HEXACO_HOOK,
    beforeTurn(turn) {
      if (!told)
        for (const problem of problems)
          turn.trace({ type: 'WARNING', message: `personalityTraits: ${problem}; 0.5 is used.`, details: { code: 'traits_invalid' } });
      told = true;
      for (const trait of HEXACO_TRAITS) {
        if (!Object.hasOwn(turn.state.traits, trait)) moveTo(turn, trait, baseline[trait], SEED_WHY);
      }
      const current = currentTraits(turn.state.traits, baseline);
      if (HEXACO_TRAITS.some((trait) => current[trait] !== baseline[trait])) decayTraits(turn, { baseline, halfLifeDays }, DECAY_STEP_MS);
    },
    compose(turn) {
      const moved = describeMovedTraits(baseline, currentTraits(turn.state.traits, baseline));
      if (stable === '' && moved === '') return undefined;
      return { ...(stable !== '' && { stable: { traits: stable } }), ...(moved !== '' && { volatile: { traits: moved } }) };
    },
  };
}
