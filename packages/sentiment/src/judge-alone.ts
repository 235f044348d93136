import type { AffectReading, Polarity } from './affect.js';
import { type LinearModel, logistic, modelLogits } from './linear-model.js';
import type { ReadText } from './read-text.js';

/** Makes a reading of what the model says of the n-grams alone. */
export function judgeAlone(
  { tokens, language, languageConfidence, isCovered }: ReadText,
  model: LinearModel,
  noDense: Float64Array,
): AffectReading {
  const empty = { arousal: 0, target: 'none', language, evidence: [] } as const;
  if (!isCovered) {
    return { ...empty, score: null, polarity: 'neutral', intensity: 0, confidence: 0, frustrated: 0, confused: 0, satisfied: 0 };
  }
  const [frustrated = 0, confused = 0, satisfied = 0, up = 0, down = 0] = modelLogits(model, tokens, noDense).map(logistic);
  const polarity: Polarity = Math.max(up, down) < 0.5 ? 'neutral' : up >= down ? 'positive' : 'negative';
  const side = polarity === 'neutral' ? 0 : up - down;
  const score = side === 0 ? 0 : Math.sign(side) * Math.max(0.06, Math.abs(side));
  return {
    ...empty,
    score,
    polarity,
    intensity: Math.abs(score),
    confidence: Math.abs(2 * Math.max(up, down) - 1) * Math.min(1, 0.5 + languageConfidence),
    arousal: 0.1 + 0.5 * Math.abs(score),
    frustrated,
    confused,
    satisfied,
    evidence: [{ kind: 'model', text: 'n-grams', weight: score }],
  };
}
