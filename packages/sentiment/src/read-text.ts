import type { ContextTurn } from './affect.js';
import { type ContextSigns, contextSigns, NO_CONTEXT } from './context-signs.js';
import { guessOfTokens } from './detect-text-language.js';
import { denseFeatures } from './features.js';
import type { Findings } from './findings.js';
import type { LanguageGuess } from './language-guess.js';
import { type Lexicon, lexiconOf } from './lexicon.js';
import { maskText } from './mask-text.js';
import { isPlain, normalise } from './normalise.js';
import { type RuleSigns, ruleSigns } from './rule-signs.js';
import { scanFeelings } from './scan-feelings.js';
import { settleLanguage } from './settle-language.js';
import { tokenise } from './tokenise.js';
import { createTokens, hasKind, KIND, type Tokens } from './tokens.js';

/** A text, read: all that rules and model decide from. */
export interface ReadText {
  readonly tokens: Tokens;
  readonly found: Findings;
  readonly signs: RuleSigns;
  readonly context: ContextSigns;
  /** In the order of `DENSE`. */
  readonly dense: readonly number[];
  /** BCP 47 base language, or `und`. */
  readonly language: string;
  /** 0 to 1. */
  readonly languageConfidence: number;
  /** False when no lexicon covers the language: then nothing found means nothing known. */
  readonly isCovered: boolean;
}

/** How sure a second language must be to be read too, for texts that switch; no guess is surer than 1, so less likely ones can be left out. */
const SECOND_LANGUAGE = 0.25;
/** From here on the guess outweighs what the caller says: a script of its own, or many words. */
const CERTAIN = 0.8;
/** More than this is cut: a feeling that needs more is not in the words. The cut is named in the evidence. */
export const MOST_CHARS = 1_000_000;

/**
 * Normalises, masks, splits and scans a text.
 *
 * @param language - BCP 47, if the caller knows it; checked against the text.
 * @param context - Turns before, oldest first.
 * @param room - An empty list for the tokens; the result holds it.
 */
export function readText(
  text: string,
  language: string | undefined,
  context: readonly ContextTurn[] = [],
  room: Tokens = createTokens(),
): ReadText {
  const whole = text.length > MOST_CHARS ? text.slice(0, MOST_CHARS) : text;
  const plain = isPlain(whole);
  const normal = normalise(whole, plain);
  const tokens = tokenise(maskText(normal), room, plain);
  const hint = language === undefined ? undefined : baseOf(language);
  const guesses = settleLanguage(guessOfTokens(tokens, plain ? '' : normal, SECOND_LANGUAGE), tokens);
  const best = guesses[0] ?? { language: 'und', confidence: 0 };
  const lexicons: Lexicon[] = [];
  const isForeign = best.confidence >= CERTAIN && lexiconOf(best.language) === undefined;
  if (!isForeign) {
    if (best.confidence >= CERTAIN) add(lexicons, best.language);
    if (hint !== undefined) add(lexicons, hint);
    for (let index = 0; index < guesses.length && index < 2; index += 1) {
      const guess = guesses[index] as LanguageGuess;
      if (guess.confidence > SECOND_LANGUAGE) add(lexicons, guess.language);
    }
  }
  const first = lexicons[0]?.language;
  const isUnknown = first === undefined && !isForeign && (hint === undefined || hint === 'und') && best.confidence <= SECOND_LANGUAGE;
  if (isUnknown) add(lexicons, 'en');
  const found = scanFeelings(tokens, lexicons);
  const seen = context.length === 0 ? NO_CONTEXT : contextSigns(tokens, context, lexicons);
  const signs = ruleSigns(tokens, found, seen);
  const dense = denseFeatures(tokens, found, signs, seen);
  const hasWords = hasKind(tokens, KIND.word) || hasKind(tokens, KIND.cjk) || hasKind(tokens, KIND.mask);
  const spoken = first ?? (isUnknown && found.hits.some((hit) => hit.kind !== 'emoji') ? 'en' : best.language);
  return {
    tokens,
    found,
    signs,
    context: seen,
    dense,
    language: spoken,
    languageConfidence: spoken === best.language ? best.confidence : spoken === hint ? Math.max(0.6, best.confidence) : 0.3,
    isCovered: hasWords && first !== undefined,
  };
}

/** The language of a BCP 47 tag. */
function baseOf(tag: string): string {
  const lower = tag.toLowerCase();
  const dash = lower.indexOf('-');
  return dash === -1 ? lower : lower.slice(0, dash);
}

function add(lexicons: Lexicon[], language: string): void {
  const lexicon = lexiconOf(language);
  if (lexicon !== undefined && !lexicons.includes(lexicon)) lexicons.push(lexicon);
}
