import type { TraitName } from '@x/core';
import { TRAIT_LABELS } from './describe-traits.js';
import { LEVEL_TEXTS, levelOf } from './trait-levels.js';
import { currentTraits, HEXACO_TRAITS, readTraits } from './traits.js';

/** One axis of a radar chart. */
export interface RadarAxis {
  readonly trait: TraitName;
  readonly label: string;
  /** Radians, clockwise from the top. */
  readonly angle: number;
  /** 0 to 1. */
  readonly baseline: number;
  /** 0 to 1. */
  readonly value: number;
  /** value - baseline. */
  readonly delta: number;
  /** 1 to 9. */
  readonly level: number;
  /** What the model is told at this level. */
  readonly guidance: string;
  /** Where the value lies on a circle of radius 1 around the origin, y downwards as on a screen. */
  readonly point: { readonly x: number; readonly y: number };
}

/**
 * Traits as the six axes of a radar chart.
 *
 * @param personalityTraits - The persona's scores.
 * @param traits - The lane's, from its state; a missing one is the persona's.
 */
export function radarData(personalityTraits: unknown, traits: { readonly [trait: string]: number } = {}): readonly RadarAxis[] {
  const baseline = readTraits(personalityTraits).traits;
  const current = currentTraits(traits, baseline);
  return HEXACO_TRAITS.map((trait, index) => {
    const angle = (2 * Math.PI * index) / HEXACO_TRAITS.length;
    const value = current[trait];
    return {
      trait,
      label: TRAIT_LABELS[trait],
      angle,
      baseline: baseline[trait],
      value,
      delta: value - baseline[trait],
      level: levelOf(value) + 1,
      guidance: LEVEL_TEXTS[trait][levelOf(value)] ?? '',
      point: { x: value * Math.sin(angle), y: -value * Math.cos(angle) },
    };
  });
}
