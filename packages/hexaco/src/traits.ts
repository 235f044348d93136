import { AgentosError, isForbiddenKey, ownValue, plainName, TRAIT_NAMES, type TraitName } from '@x/core';

/**
 * The six traits of the HEXACO model, in the order of its name. Each runs from 0 to 1, with 0.5 in the middle.
 *
 * @remarks Source: Ashton, M. C., & Lee, K. (2007), doi:10.1177/1088868306294907.
 */
export const HEXACO_TRAITS: readonly TraitName[] = TRAIT_NAMES;

/** A score for each of the six traits, 0 to 1. */
export type Traits = { readonly [K in TraitName]: number };

/** Traits that nobody but the author of the persona changes. */
export const OPERATOR_ONLY: readonly TraitName[] = ['honesty', 'emotionality'];

/** Scores cannot be read as traits. */
export class TraitsInvalidError extends AgentosError {
  override readonly name = 'TraitsInvalidError';
  readonly code = 'traits_invalid';
  readonly retryable = false;
  /** One line for each fault. */
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`Traits cannot be read: ${problems.join('; ')}. Give numbers from 0 to 1 for ${TRAIT_NAMES.join(', ')}.`);
    this.problems = problems;
  }
}

const ALIASES: { readonly [name: string]: TraitName } = {
  honestyhumility: 'honesty',
  opennesstoexperience: 'openness',
};

/** The trait that a name means, also as `honestyHumility`, `honesty_humility` or `opennessToExperience`. */
export function traitNamed(name: string): TraitName | undefined {
  const plain = plainName(name);
  return HEXACO_TRAITS.find((trait) => trait === plain) ?? ownValue(ALIASES, plain);
}

/**
 * Reads trait scores from anything, such as the `personalityTraits` of a persona. Numbers written as text count; a
 * trait that is not named is 0.5; a trait's own name wins over its alias.
 *
 * @throws {@link TraitsInvalidError} not an object, an unknown name, or a value that is not a number from 0 to 1.
 * Nothing is clamped: 85 is a fault, not 1.
 */
export function parseTraits(value: unknown): Traits {
  const { traits, problems } = readTraits(value);
  if (problems.length > 0) throw new TraitsInvalidError(problems);
  return traits;
}

/** As {@link parseTraits}, but what cannot be read is left at 0.5 and told beside the traits. */
export function readTraits(value: unknown): {
  readonly traits: Traits;
  readonly problems: readonly string[];
  readonly named: readonly TraitName[];
} {
  const problems: string[] = [];
  const found = new Map<TraitName, number>();
  if (value !== undefined && (typeof value !== 'object' || value === null || Array.isArray(value))) problems.push('they are no object');
  else
    for (const [name, raw] of Object.entries(value ?? {})) {
      const trait = isForbiddenKey(name) ? undefined : traitNamed(name);
      const score = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
      if (trait === undefined) problems.push(`there is no trait "${name.slice(0, 40)}"`);
      else if (typeof score !== 'number' || !(score >= 0 && score <= 1)) problems.push(`${trait} is not a number from 0 to 1`);
      else if (name === trait || !found.has(trait)) found.set(trait, score);
    }
  const traits = Object.fromEntries(HEXACO_TRAITS.map((trait) => [trait, found.get(trait) ?? 0.5])) as unknown as Traits;
  return { traits, problems, named: HEXACO_TRAITS.filter((trait) => found.has(trait)) };
}

/** The trait as the lane has it, or the persona's when the lane has no number for it. */
export function traitOf(state: { readonly [trait: string]: number }, trait: TraitName, baseline: Traits): number {
  const value = ownValue(state, trait);
  return typeof value === 'number' && Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : baseline[trait];
}

/** All six traits as a lane has them. */
export function currentTraits(state: { readonly [trait: string]: number }, baseline: Traits): Traits {
  return Object.fromEntries(HEXACO_TRAITS.map((trait) => [trait, traitOf(state, trait, baseline)])) as unknown as Traits;
}
