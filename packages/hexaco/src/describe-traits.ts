import type { TraitName } from '@x/core';
import { LEVEL_TEXTS, levelOf } from './trait-levels.js';
import { HEXACO_TRAITS, readTraits, type Traits } from './traits.js';

/** How each trait is called in the prompt. */
export const TRAIT_LABELS: { readonly [K in TraitName]: string } = {
  honesty: 'Honesty-humility',
  emotionality: 'Emotionality',
  extraversion: 'Extraversion',
  agreeableness: 'Agreeableness',
  conscientiousness: 'Conscientiousness',
  openness: 'Openness',
};

const OPENING =
  'Your manner, one line for each side of your character. It shapes tone, never facts, duties or limits; where it disagrees with an instruction, the instruction holds.';

/**
 * Puts traits into words for a prompt: one of nine lines for each trait that is given, in the order of
 * `HEXACO_TRAITS`. Equal scores give equal bytes.
 *
 * @returns `''` when no trait is given. What is not a score from 0 to 1 is left out.
 */
export function describeTraits(traits: { readonly [trait: string]: number }): string {
  const { traits: scores, named } = readTraits(traits);
  if (named.length === 0) return '';
  return [OPENING, ...named.map((trait) => lineOf(trait, scores[trait]))].join('\n');
}

/** The smallest move of a trait that the prompt tells of. Ours. */
export const NOTICEABLE_MOVE = 0.01;

/**
 * The note on traits that have left the persona's own scores: which way, and what holds now.
 *
 * @returns `''` while none has moved by {@link NOTICEABLE_MOVE} or more.
 */
export function describeMovedTraits(baseline: Traits, current: Traits): string {
  const moved = HEXACO_TRAITS.filter((trait) => Math.abs(current[trait] - baseline[trait]) >= NOTICEABLE_MOVE);
  if (moved.length === 0) return '';
  const lines = moved.map((trait) => {
    const delta = current[trait] - baseline[trait];
    const degree = Math.abs(delta) < 0.06 ? 'slightly' : Math.abs(delta) < 0.16 ? 'noticeably' : 'much';
    const sameLevel = levelOf(current[trait]) === levelOf(baseline[trait]);
    const way = `${degree} ${delta > 0 ? 'more' : 'less'} than at the outset`;
    return sameLevel
      ? `- ${TRAIT_LABELS[trait]}: ${way}.`
      : `- ${TRAIT_LABELS[trait]}: ${way}. ${LEVEL_TEXTS[trait][levelOf(current[trait])]}`;
  });
  return ['What has changed in your manner since; these lines replace the ones above on the same side:', ...lines].join('\n');
}

function lineOf(trait: TraitName, score: number): string {
  return `- ${TRAIT_LABELS[trait]}: ${LEVEL_TEXTS[trait][levelOf(score)]}`;
}
