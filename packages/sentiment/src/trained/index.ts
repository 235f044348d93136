import type { AffectReading, DetectOptions } from '../affect.js';
import { DENSE } from '../features.js';
import { judgeAlone } from '../judge-alone.js';
import { type LinearModel, unpackModel } from '../linear-model.js';
import { once } from '../once.js';
import { readText } from '../read-text.js';
import { WEIGHTS } from './weights.generated.js';

export type { AffectReading, DetectOptions } from '../affect.js';
export { InvalidModelError } from '../invalid-model-error.js';
export { type LinearModel, type PackedModel, unpackModel } from '../linear-model.js';

const shippedModel: () => LinearModel = /* @__PURE__ */ once(() => unpackModel(WEIGHTS));

/**
 * Reads a message with the linear model alone: n-grams, no lexicon, no rule. What `method: 'trained_classifier'` uses.
 *
 * It knows only what its training messages held, so it falls behind `detectAffect` on anything else; the README has the
 * figures of both. Use it to compare, or with weights of your own from `scripts/train.mjs`.
 */
export function classifyAffect(text: string, { language }: DetectOptions = {}, model: LinearModel = shippedModel()): AffectReading {
  return judgeAlone(readText(text, language), model, new Float64Array(DENSE.length));
}
