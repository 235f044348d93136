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
 * Reads an analyser's result with suspicion: a score that is not finite is `null`, one beyond the range is cut to it.
 * The seed took NaN for neutral and let a model's 7 pass.
 */
export function readResult(result: AffectResult): TurnReading {
  const score = typeof result.score === 'number' && Number.isFinite(result.score) ? Math.max(-1, Math.min(1, result.score)) : null;
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

function unit(value: number | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.min(1, value)) : undefined;
}
