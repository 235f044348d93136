import { DENSE, HEADS, hashedFeatures, type PlaceSink } from './features.js';
import { InvalidModelError } from './invalid-model-error.js';
import type { Tokens } from './tokens.js';

/** A logistic regression over hashed n-grams and dense features, one row of weights a head. */
export interface LinearModel {
  /** The table has `2 ** bits` places. */
  readonly bits: number;
  /** By place and head: `place * HEADS.length + head`; whole numbers to be multiplied by `steps[head]`. */
  readonly weights: Int8Array;
  readonly steps: readonly number[];
  /** By dense feature and head. */
  readonly dense: Float64Array;
  /** By head, the threshold taken in: 0 is a probability of one half. */
  readonly bias: readonly number[];
}

/** A {@link LinearModel} as it is shipped. */
export interface PackedModel {
  readonly bits: number;
  readonly steps: readonly number[];
  readonly bias: readonly number[];
  /** Dense weights in thousandths, divided by spaces; empty for a model of n-grams alone. */
  readonly dense: string;
  /** One character a weight, from {@link ZERO} - {@link MOST} to {@link ZERO} + {@link MOST}; `~` and a count in base 36 and `~` stand for a run of zeros. */
  readonly weights: string;
}

/** The character of weight 0, and how far weights reach from it. */
export const ZERO = 79;
export const MOST = 7;

/** @throws {@link InvalidModelError} when the parts do not fit together. */
export function unpackModel(packed: PackedModel): LinearModel {
  const weights = new Int8Array(2 ** packed.bits * HEADS.length);
  let at = 0;
  for (let index = 0; index < packed.weights.length; index += 1) {
    const code = packed.weights.charCodeAt(index);
    if (code === 126) {
      const end = packed.weights.indexOf('~', index + 1);
      at += Number.parseInt(packed.weights.slice(index + 1, end), 36);
      index = end;
    } else {
      // A backslash would have to be written twice in the source; it stands for the character below the lowest.
      weights[at] = (code === 33 ? 92 : code) - ZERO;
      at += 1;
    }
  }
  const dense = new Float64Array(DENSE.length * HEADS.length);
  const listed = packed.dense === '' ? [] : packed.dense.split(' ');
  if (at !== weights.length || (listed.length !== 0 && listed.length !== dense.length)) throw new InvalidModelError(at, weights.length);
  listed.forEach((value, index) => {
    dense[index] = Number(value) / 1000;
  });
  return { bits: packed.bits, weights, steps: packed.steps, dense, bias: packed.bias };
}

/** Sums the weights of places, by head. */
class WeightSums implements PlaceSink {
  count = 0;
  frustrated = 0;
  confused = 0;
  satisfied = 0;
  positive = 0;
  negative = 0;

  constructor(private readonly weights: Int8Array) {}

  add(place: number): void {
    const { weights } = this;
    const row = place * HEADS.length;
    this.count += 1;
    this.frustrated += weights[row] as number;
    this.confused += weights[row + 1] as number;
    this.satisfied += weights[row + 2] as number;
    this.positive += weights[row + 3] as number;
    this.negative += weights[row + 4] as number;
  }
}

/** The probability that log-odds stand for. */
export function logistic(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/** The log-odds of each head. */
export function modelLogits(model: LinearModel, tokens: Tokens, dense: ArrayLike<number>): number[] {
  const count = HEADS.length;
  const sums = new WeightSums(model.weights);
  hashedFeatures(tokens, model.bits, sums);
  // The same scale as in training: a text of many n-grams is not surer than one of few.
  const scale = 1 / Math.sqrt(sums.count || 1);
  const logits = [sums.frustrated, sums.confused, sums.satisfied, sums.positive, sums.negative].map(
    (sum, head) => sum * (model.steps[head] ?? 0) * scale + (model.bias[head] ?? 0),
  );
  for (let feature = 0; feature < dense.length; feature += 1) {
    const value = dense[feature] as number;
    if (value === 0) continue;
    for (let head = 0; head < count; head += 1)
      logits[head] = (logits[head] as number) + value * (model.dense[feature * count + head] as number);
  }
  return logits;
}
