import type { ContextTurn } from './affect.js';
import { type ContextSigns, contextSigns, NO_CONTEXT } from './context-signs.js';
import { guessLanguages } from './detect-text-language.js';
import { denseFeatures } from './features.js';
import { type Lexicon, lexiconOf } from './lexicon.js';
import { maskText } from './mask-text.js';
import { normalise } from './normalise.js';
import { type RuleSigns, ruleSigns } from './rule-signs.js';
import { type Findings, scanFeelings } from './scan-feelings.js';
import { settleLanguage } from './settle-language.js';
import { tokenise } from './tokenise.js';
import { KIND, type Tokens } from './tokens.js';

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

/** How sure a second language must be to be read too, for texts that switch. */
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
 */
export function readText(text: string, language: string | undefined, context: readonly ContextTurn[] = []): ReadText {
  const normal = normalise(text.length > MOST_CHARS ? text.slice(0, MOST_CHARS) : text);
  const tokens = tokenise(maskText(normal), true);
  const hint = language?.toLowerCase().split('-')[0];
  const guesses = settleLanguage(guessLanguages(tokens.texts, normal), tokens);
  const best = guesses[0] ?? { language: 'und', confidence: 0 };
  const names: string[] = [];
  const add = (name: string | undefined): void => {
    if (name !== undefined && !names.includes(name) && lexiconOf(name) !== undefined) names.push(name);
  };
  const isForeign = best.confidence >= CERTAIN && lexiconOf(best.language) === undefined;
  if (!isForeign) {
    if (best.confidence >= CERTAIN) add(best.language);
    add(hint);
    for (const guess of guesses.slice(0, 2)) if (guess.confidence > SECOND_LANGUAGE) add(guess.language);
  }
  const isUnknown = names.length === 0 && !isForeign && (hint === undefined || hint === 'und') && best.confidence <= SECOND_LANGUAGE;
  const lexicons = (isUnknown ? ['en'] : names).map(lexiconOf).filter((lexicon): lexicon is Lexicon => lexicon !== undefined);
  const found = scanFeelings(tokens, lexicons);
  const seen = context.length === 0 ? NO_CONTEXT : contextSigns(tokens, context, lexicons);
  const signs = ruleSigns(tokens, found, seen);
  const dense = denseFeatures(tokens, found, signs, seen);
  const hasWords = tokens.kinds.some((kind) => kind === KIND.word || kind === KIND.cjk || kind === KIND.mask);
  const spoken = names[0] ?? (isUnknown && found.hits.some((hit) => hit.kind !== 'emoji') ? 'en' : best.language);
  return {
    tokens,
    found,
    signs,
    context: seen,
    dense,
    language: spoken,
    languageConfidence: spoken === best.language ? best.confidence : spoken === hint ? Math.max(0.6, best.confidence) : 0.3,
    isCovered: hasWords && names.length > 0,
  };
}
