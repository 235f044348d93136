import type { AffectReading, AffectTarget, DetectOptions, Evidence, Polarity } from './affect.js';
import { MODEL } from './data/model.generated.js';
import type { Hit } from './findings.js';
import { CUES } from './lexicon/language-source.js';
import { type LinearModel, logistic, modelLogits, unpackModel } from './linear-model.js';
import { once } from './once.js';
import { MOST_CHARS, type ReadText, readText } from './read-text.js';
import { applyRules, RULES, type Rule } from './rules.js';
import { giveBack, takeTokens } from './spare-tokens.js';
import { hasKind, KIND, type Tokens, textOf, textsOf } from './tokens.js';

/** Scores this near to 0 are neutral; ours, and the band that most yardsticks use. */
export const NEUTRAL_BAND = 0.05;

const compactModel: () => LinearModel = /* @__PURE__ */ once(() => unpackModel(MODEL));

/**
 * Reads the feeling of one message: pure, synchronous, no model call.
 *
 * @param text - What the user wrote. Code, logs, quotes, addresses and identifiers in it are not read as feelings.
 * @returns Score and probabilities with the evidence they rest on; `score` is `null` and every probability 0 when the
 * text gives no ground, as for an unknown language.
 * @remarks Linear in the length of the text; of a text beyond a million characters the rest is left out, and the
 * evidence says so.
 * @example detectAffect('Thank you, that worked great!').satisfied >= 0.5; // true
 */
export function detectAffect(text: string, { language, context }: DetectOptions = {}): AffectReading {
  const tokens = takeTokens();
  const reading = judge(readText(text, language, context, tokens), compactModel(), RULES, text.length > MOST_CHARS);
  giveBack(tokens);
  return reading;
}

/** Makes a reading of what was read, with a model and rules. For the error card, which leaves rules out in turn. */
export function judge(read: ReadText, model: LinearModel, rules: readonly Rule[], isCut: boolean): AffectReading {
  const { found, signs } = read;
  if (!read.isCovered && !found.hits.some((hit) => hit.weight !== 0 || hit.kind === 'emoji')) return unknown(read, isCut);
  const logits = modelLogits(model, read.tokens, read.dense);
  const applied = applyRules(read, logits, rules);
  const [frustrated = 0, confused = 0, satisfied = 0, up = 0, down = 0] = logits.map(logistic);
  const polarity: Polarity = Math.max(up, down) < 0.5 ? 'neutral' : up >= down ? 'positive' : 'negative';
  const sum = found.positive - found.negative;
  const score = scoreOf(polarity, up - down, sum / Math.sqrt(sum * sum + 15));
  const emphasis = 1 + 0.05 * Math.min(3, signs.exclamations) + (signs.shouting ? 0.15 : 0);
  const intensity = Math.min(1, Math.abs(score) * emphasis);
  return {
    score,
    polarity,
    intensity,
    confidence: confidenceOf(read, Math.max(up, down), applied),
    language: read.language,
    arousal: arousalOf(read, intensity),
    target: targetOf(read, polarity, frustrated),
    frustrated,
    confused,
    satisfied,
    evidence: evidenceOf(read, applied, isCut),
  };
}

function unknown(read: ReadText, isCut: boolean): AffectReading {
  return {
    score: null,
    polarity: 'neutral',
    intensity: 0,
    confidence: 0,
    language: read.language,
    arousal: 0,
    target: 'none',
    frustrated: 0,
    confused: 0,
    satisfied: 0,
    evidence: evidenceOf(read, [], isCut),
  };
}

/** Half the model's, half the words' opinion, on the side and outside of the band that the polarity says. */
function scoreOf(polarity: Polarity, model: number, words: number): number {
  const mean = (model + words) / 2;
  if (polarity === 'neutral') return Math.max(-NEUTRAL_BAND, Math.min(NEUTRAL_BAND, mean));
  const least = NEUTRAL_BAND + 0.01;
  return polarity === 'positive' ? Math.min(1, Math.max(least, mean)) : Math.max(-1, Math.min(-least, mean));
}

/** Surer with more decided heads, a known language and words to point at; unsure of sarcasm and of mixed feelings. */
function confidenceOf({ found, signs, languageConfidence }: ReadText, decided: number, applied: readonly Rule[]): number {
  const margin = Math.abs(2 * decided - 1);
  const shown = found.hits.some((hit) => Math.abs(hit.weight) >= 1) || applied.length > 0;
  let confidence = 0.35 + 0.45 * margin + (shown ? 0.2 : 0);
  if (signs.sarcasm || signs.praiseThenFailure) confidence *= 0.5;
  if (found.positive > 1.5 && found.negative > 1.5) confidence *= 0.75;
  return Math.min(1, confidence * Math.min(1, 0.7 + 0.5 * languageConfidence));
}

const SWEAR = CUES.indexOf('swear');
const INSULT = CUES.indexOf('insult');
const SHUSH = CUES.indexOf('shush');

function arousalOf({ found, signs }: ReadText, intensity: number): number {
  const swears = (found.cues[SWEAR] ?? 0) > 0;
  return Math.min(1, 0.1 + 0.5 * intensity + 0.07 * Math.min(3, signs.exclamations) + (signs.shouting ? 0.2 : 0) + (swears ? 0.15 : 0));
}

const SELF_BLAME =
  /\b(?:my (?:fault|bad|mistake|error)|i (?:messed|screwed) up|i(?:'m| was) (?:so |such an? )?(?:stupid|dumb|idiot)|i broke)\b/;

function targetOf({ found, tokens }: ReadText, polarity: Polarity, frustrated: number): AffectTarget {
  if (polarity !== 'negative' && frustrated < 0.5) return 'none';
  const cue = (index: number): boolean => (found.cues[index] ?? 0) > 0;
  if (found.second > 0 || cue(INSULT) || cue(SHUSH)) return 'assistant';
  if (tokens.size < 60 && SELF_BLAME.test(textsOf(tokens).join(' '))) return 'self';
  return found.third > 0 ? 'other' : 'none';
}

function shownWeight(weight: number): number {
  return Math.max(-1, Math.min(1, weight / 5));
}

/** How many words and phrases the evidence lists, the weightiest first. */
const MOST_EVIDENCE = 12;

function evidenceOf({ found, tokens, language, isCovered }: ReadText, applied: readonly Rule[], isCut: boolean): readonly Evidence[] {
  const evidence: Evidence[] = [];
  for (const { kind, shown, at, end, weight } of weightiest(found.hits)) {
    const text = end === at + 1 ? textOf(tokens, shown) : phraseText(tokens, at, end);
    evidence.push({ kind, text, weight: shownWeight(weight) });
  }
  for (const { name, kind, shift } of applied) {
    evidence.push({ kind, text: name, weight: Math.max(-1, Math.min(1, (shift[3] - shift[4]) / 6)) });
  }
  if (hasKind(tokens, KIND.mask)) evidence.push({ kind: 'masked', text: 'code, log, quote, address or name', weight: 0 });
  if (language === 'und' || !isCovered) evidence.push({ kind: 'language', text: language, weight: 0 });
  if (isCut) evidence.push({ kind: 'masked', text: `beyond ${MOST_CHARS} characters`, weight: 0 });
  return evidence;
}

function phraseText(tokens: Tokens, from: number, to: number): string {
  let text = textOf(tokens, from);
  for (let at = from + 1; at < to; at += 1) text += ` ${textOf(tokens, at)}`;
  return text;
}

/** The hits that weigh most, of equal ones the first; long texts have hundreds, and sorting them all would take longer. */
function weightiest(hits: readonly Hit[]): readonly Hit[] {
  const most: Hit[] = [];
  for (const hit of hits) {
    const weight = Math.abs(shownWeight(hit.weight));
    let at = most.length;
    while (at > 0 && Math.abs(shownWeight((most[at - 1] as Hit).weight)) < weight) at -= 1;
    if (at === MOST_EVIDENCE) continue;
    if (most.length === MOST_EVIDENCE) most.pop();
    if (at === most.length) most.push(hit);
    else most.splice(at, 0, hit);
  }
  return most;
}
