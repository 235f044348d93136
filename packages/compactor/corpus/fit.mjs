/**
 * Fits the weights of core's token estimator to o200k and prints them: `npx tsx packages/compactor/corpus/fit.mjs`.
 * Least squares on relative errors over the `fit` half, drawn towards guesses where the corpus says little.
 */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { FEATURES, weighText } from '../../core/src/token-features.ts';
import { samples } from './samples.mjs';

/** Guesses from how such vocabularies are built; the fit starts from them and stays near them where the corpus says little. */
const GUESS = {
  spaced: 1,
  spacedOver4: 0.02,
  spacedOver8: 0.1,
  spacedOver12: 0.2,
  joined: 0.3,
  joinedOver4: 0.08,
  joinedOver8: 0.15,
  joinedOver12: 0.2,
  inner: 0.9,
  innerOver4: 0.08,
  innerOver8: 0.15,
  innerOver12: 0.2,
  capital: 0.9,
  capitalOver4: 0.12,
  capitalOver8: 0.1,
  upper: 1,
  upperOver2: 0.35,
  accented: 0.3,
  accentedFar: 0.5,
  vietnamese: 0.1,
  accentedWord: 0.3,
  foreignLetter: 0.03,
  foreignWord: 0.1,
  digitGroup: 1,
  spaceAlone: 1,
  sign: 1,
  signMore: 0.35,
  signRepeated: 0.06,
  break: 1,
  indent: 1,
  indentLong: 1,
  dense: 0.72,
  denseLower: 0.6,
  han: 0.8,
  kana: 0.78,
  katakana: 0.6,
  hangul: 0.75,
  cyrillic: 0.26,
  cyrillicWord: 0.35,
  greek: 0.5,
  arabic: 0.35,
  arabicWord: 0.3,
  hebrew: 0.45,
  devanagari: 0.4,
  indic: 0.4,
  southEastAsian: 0.48,
  otherLetter: 0.9,
  wideSign: 0.95,
  emoji: 2,
};
/** How strongly a weight holds to its guess; 0 would trust the corpus alone. */
const HOLD = 0.02;
/** The corpus is small and a count that is too low costs more than one that is too high. */
const MARGIN = 1.02;

const count = (text) => encode(text).length;
const rows = samples('fit', 50, count).map(({ text, tokens, kind }) => ({ features: featuresOf(text), tokens, kind }));
const perKind = {};
for (const { kind } of rows) perKind[kind] = (perKind[kind] ?? 0) + 1;
const start = FEATURES.map((feature) => GUESS[feature]);
const size = FEATURES.length;
const matrix = Array.from({ length: size }, () => new Array(size).fill(0));
const right = new Array(size).fill(0);
for (const { features, tokens, kind } of rows) {
  const importance = 1 / perKind[kind];
  const x = features.map((value) => value / tokens);
  for (let i = 0; i < size; i += 1) {
    if (x[i] === 0) continue;
    right[i] += importance * x[i] * MARGIN;
    for (let j = 0; j < size; j += 1) matrix[i][j] += importance * x[i] * x[j];
  }
}
for (let i = 0; i < size; i += 1) {
  const hold = HOLD / size / Math.max(0.05, start[i]) ** 2;
  matrix[i][i] += hold + 1e-9;
  right[i] += hold * start[i];
}
const weights = nonNegative(matrix, right, start);
for (const [index, feature] of FEATURES.entries()) console.log(`  ${feature}: ${Number(weights[index].toFixed(3))},`);

/** Coordinate descent with a floor at 0. */
function nonNegative(a, b, from) {
  const x = [...from];
  for (let round = 0; round < 20_000; round += 1) {
    let moved = 0;
    for (let i = 0; i < x.length; i += 1) {
      let sum = b[i];
      for (let j = 0; j < x.length; j += 1) if (j !== i) sum -= a[i][j] * x[j];
      const next = Math.max(0, sum / a[i][i]);
      moved = Math.max(moved, Math.abs(next - x[i]));
      x[i] = next;
    }
    if (moved < 1e-7) break;
  }
  return x;
}

/** How often each feature occurs: the weighing is linear, so one weight of 1 counts it. */
function featuresOf(text) {
  return FEATURES.map((_, at) =>
    weighText(
      text,
      FEATURES.map((_, index) => (index === at ? 1 : 0)),
    ),
  );
}
