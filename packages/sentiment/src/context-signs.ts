import type { ContextTurn } from './affect.js';
import { CUES } from './lexicon/language-source.js';
import type { Lexicon } from './lexicon.js';
import { maskText } from './mask-text.js';
import { normalise } from './normalise.js';
import { scanFeelings } from './scan-feelings.js';
import { giveBack, takeTokens } from './spare-tokens.js';
import { tokenise } from './tokenise.js';
import { KIND, type Tokens, textOf } from './tokens.js';

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
/** Turns before the message that are read with it. */
const MOST_TURNS = 4;
/** Only the end of a long turn is read. */
const MOST_CHARS = 2000;

/** Reads up to four turns before the message; what a turn says is kept with it. */
export function contextSigns(tokens: Tokens, context: readonly ContextTurn[], lexicons: readonly Lexicon[]): ContextSigns {
  let repeats = false;
  let failures = 0;
  let claimedFixed = false;
  const words = contentWords(tokens);
  for (let index = Math.max(0, context.length - MOST_TURNS); index < context.length; index += 1) {
    const turn = context[index] as ContextTurn;
    const said = signsOf(turn, lexicons);
    if (turn.role === 'assistant') claimedFixed ||= said.tells;
    else {
      if (words.size >= 2 && overlap(words, said.words) >= ALIKE) repeats = true;
      if (said.tells) failures += 1;
    }
  }
  return { repeats, claimedFixed, failures };
}

interface TurnSigns {
  readonly text: string;
  readonly lexicons: readonly Lexicon[];
  readonly words: ReadonlySet<string>;
  /** An assistant's turn claims success; a user's tells of a failure. */
  readonly tells: boolean;
}

const known = new WeakMap<ContextTurn, TurnSigns>();

function signsOf(turn: ContextTurn, lexicons: readonly Lexicon[]): TurnSigns {
  const before = known.get(turn);
  if (before?.text === turn.text && isSame(before.lexicons, lexicons)) return before;
  const signs = { text: turn.text, lexicons, ...readTurn(turn, lexicons) };
  known.set(turn, signs);
  return signs;
}

function readTurn({ role, text }: ContextTurn, lexicons: readonly Lexicon[]): Pick<TurnSigns, 'words' | 'tells'> {
  if (role === 'assistant') return { words: NO_WORDS, tells: CLAIMS.test(text.slice(0, MOST_CHARS)) };
  const tokens = tokenise(maskText(normalise(text.slice(-MOST_CHARS))), takeTokens());
  const words = contentWords(tokens);
  const { cues } = scanFeelings(tokens, lexicons);
  giveBack(tokens);
  return { words, tells: (cues[FAILURE] ?? 0) + (cues[AGAIN] ?? 0) + (cues[FRUSTRATED] ?? 0) > 0 };
}

const NO_WORDS: ReadonlySet<string> = new Set();

function isSame(a: readonly Lexicon[], b: readonly Lexicon[]): boolean {
  return a.length === b.length && a.every((lexicon, index) => lexicon === b[index]);
}

function contentWords(tokens: Tokens): ReadonlySet<string> {
  const words = new Set<string>();
  for (let place = 0; place < tokens.size; place += 1) {
    const kind = tokens.kinds[place];
    if (kind === KIND.word || kind === KIND.cjk) words.add(textOf(tokens, place));
  }
  return words;
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return shared / (a.size + b.size - shared);
}
