import type { ContextTurn } from './affect.js';
import { CUES } from './lexicon/language-source.js';
import type { Lexicon } from './lexicon.js';
import { maskText } from './mask-text.js';
import { normalise } from './normalise.js';
import { scanFeelings } from './scan-feelings.js';
import { giveBack, takeTokens } from './spare-tokens.js';
import { tokenise } from './tokenise.js';
import { KIND, type Tokens, textsOf } from './tokens.js';

/** What the turns before say about this one. */
export interface ContextSigns {
  /** The user says again what was said before. */
  readonly repeats: boolean;
  /** The assistant claimed success after the user had told of a failure. */
  readonly claimedFixed: boolean;
  /** Failures that the user told of before. */
  readonly failures: number;
}

export const NO_CONTEXT: ContextSigns = { repeats: false, claimedFixed: false, failures: 0 };

/** How alike two messages must be to count as said again: shared words over all words. Ours. */
const ALIKE = 0.6;
const FAILURE = CUES.indexOf('failure');
const AGAIN = CUES.indexOf('again');
const FRUSTRATED = CUES.indexOf('frustrated');
const CLAIMS =
  /\b(?:fixed|done|resolved|updated|corrected|should (?:now )?(?:work|be)|works? now|now works?|apologi[sz]e|sorry|behoben|erledigt|corregido|arreglado|hecho|listo|corrigé|résolu|risolto|corretto|corrigido|pronto|opgelost)\b|已(?:经)?(?:修复|解决|改好)|修好了|修正しました|直しました/i;
/** Only the end of a long turn is read. */
const MOST_CHARS = 2000;

/** Reads up to four turns before the message; pure. */
export function contextSigns(tokens: Tokens, context: readonly ContextTurn[], lexicons: readonly Lexicon[]): ContextSigns {
  let repeats = false;
  let failures = 0;
  let claimedFixed = false;
  const words = contentWords(tokens);
  for (const turn of context.slice(-4)) {
    if (turn.role === 'assistant') {
      if (CLAIMS.test(turn.text.slice(0, MOST_CHARS))) claimedFixed = true;
      continue;
    }
    const before = tokenise(maskText(normalise(turn.text.slice(-MOST_CHARS))), takeTokens());
    const other = contentWords(before);
    if (words.size >= 2 && overlap(words, other) >= ALIKE) repeats = true;
    const { cues } = scanFeelings(before, lexicons);
    if ((cues[FAILURE] ?? 0) + (cues[AGAIN] ?? 0) + (cues[FRUSTRATED] ?? 0) > 0) failures += 1;
    giveBack(before);
  }
  return { repeats, claimedFixed, failures };
}

function contentWords(tokens: Tokens): ReadonlySet<string> {
  return new Set(textsOf(tokens).filter((_, index) => tokens.kinds[index] === KIND.word || tokens.kinds[index] === KIND.cjk));
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return shared / (a.size + b.size - shared);
}
