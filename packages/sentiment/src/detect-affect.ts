import type { AffectReading, DetectOptions, Evidence } from './affect.js';
import { AFINN } from './data/afinn.generated.js';
import { parseLexicon } from './parse-lexicon.js';

const WORDS = /* @__PURE__ */ parseLexicon(AFINN);
const NEGATIONS = /^(?:not|no|never|neither|nor|without|cannot|hardly|barely|\w+n't)$/;
const CONFUSED =
  /\b(?:i'?m (?:so )?(?:confused|lost)|(?:don't|do not|didn't) (?:understand|get (?:it|this|that))|what do you mean|makes? no sense)\b/;

/**
 * Reads the feeling of one message: pure, synchronous, no model call.
 *
 * @param text - What the user wrote.
 * @returns Score and probabilities with the evidence they rest on; `score` is `null` when nothing is known.
 * @example detectAffect('Thank you, that worked great!').satisfied; // 0.9
 */
export function detectAffect(text: string, { language = 'en' }: DetectOptions = {}): AffectReading {
  const plain = text
    .normalize('NFKC')
    .replace(/[’‘]/g, "'")
    .replace(/```[\s\S]*?(?:```|$)|`[^`]*`/g, ' ')
    .toLowerCase();
  const words = plain.match(/[\p{L}\p{M}\p{N}]+(?:'\p{L}+)*/gu) ?? [];
  const evidence: Evidence[] = [];
  let sum = 0;
  let negatedUntil = -1;
  words.forEach((word, index) => {
    if (NEGATIONS.test(word)) negatedUntil = index + 3;
    const value = NEGATIONS.test(word) ? 0 : (WORDS.get(word) ?? 0);
    if (value === 0) return;
    const weight = index <= negatedUntil ? -0.74 * value : value;
    sum += weight;
    evidence.push({ kind: 'word', text: word, weight: weight / 5 });
  });
  const confused = CONFUSED.test(plain) ? 0.9 : 0.05;
  const score = words.length === 0 ? null : sum / Math.sqrt(sum * sum + 15);
  const size = Math.abs(score ?? 0);
  return {
    score,
    polarity: score === null || size <= 0.05 ? 'neutral' : score > 0 ? 'positive' : 'negative',
    intensity: size,
    confidence: score === null ? 0 : Math.min(1, 0.3 + evidence.length * 0.2),
    language,
    arousal: Math.min(1, 0.2 + 0.6 * size),
    target: 'none',
    frustrated: (score ?? 0) < -0.55 ? size : 0.05,
    confused,
    satisfied: (score ?? 0) > 0.5 ? size : 0.05,
    evidence,
  };
}
