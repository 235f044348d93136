import type { SentimentResult } from '@x/core';
import type { AffectReading, AffectTarget } from './affect.js';

/** What an analyser says of one turn. The probabilities are absent when it gives none, as the LLM class may. */
export interface TurnReading {
  /** -1 to 1, or `null` when unknown. */
  readonly score: number | null;
  readonly polarity: 'positive' | 'negative' | 'neutral';
  readonly intensity: number;
  readonly confidence: number;
  readonly negativeTokens: number;
  readonly frustrated?: number | undefined;
  readonly confused?: number | undefined;
  readonly satisfied?: number | undefined;
  readonly arousal?: number | undefined;
  readonly target?: AffectTarget | undefined;
  readonly language?: string | undefined;
}

/** A sentiment result that also carries the affect reading it was made from. */
export type AffectResult = SentimentResult & Partial<Omit<AffectReading, keyof SentimentResult>>;

/**
 * Reads an analyser's result with suspicion: a score that is not finite is `null`, and so is one whose polarity says
 * something else, which is of another scale: 2 of 10 is bad. One beyond the range is cut to it where the polarity agrees.
 * The seed took NaN for neutral and let a model's 7 pass.
 */
export function readResult(result: AffectResult): TurnReading {
  const { score: given } = result;
  const score =
    typeof given === 'number' && Number.isFinite(given) && agrees(given, result.polarity) ? Math.max(-1, Math.min(1, given)) : null;
  const polarity = score === null ? 'neutral' : result.polarity;
  return {
    score,
    polarity: polarity === 'positive' || polarity === 'negative' ? polarity : 'neutral',
    intensity: unit(result.intensity) ?? Math.abs(score ?? 0),
    confidence: unit(result.confidence) ?? (score === null ? 0 : 0.5),
    negativeTokens: result.negativeTokens?.length ?? 0,
    frustrated: unit(result.frustrated),
    confused: unit(result.confused),
    satisfied: unit(result.satisfied),
    arousal: unit(result.arousal),
    target: result.target,
    language: result.language,
  };
}

/** Scores this near to 0 may have either polarity beside them. Ours. */
const EITHER = 0.05;

function agrees(score: number, polarity: unknown): boolean {
  if (Math.abs(score) <= EITHER) return true;
  if (Math.abs(score) > 1) return polarity === (score > 0 ? 'positive' : 'negative');
  return polarity !== (score > 0 ? 'negative' : 'positive');
}

/** How far beyond 0 to 1 a number is still cut to it; more is of another scale, such as 85 of 100. Ours. */
const CUT = 1;

/** A number from 0 to 1; `undefined` for what is none, or is of another scale. */
export function unit(value: unknown): number | undefined {
  return typeof value === 'number' && value >= -CUT && value <= 1 + CUT ? Math.max(0, Math.min(1, value)) : undefined;
}
