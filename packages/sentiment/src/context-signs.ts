import type { ContextTurn } from './affect.js';
import { CUES } from './lexicon/language-source.js';
import type { Lexicon } from './lexicon.js';
import { maskText } from './mask-text.js';
import { normalise } from './normalise.js';
import { scanFeelings } from './scan-feelings.js';
import { giveBack, takeTokens } from './spare-tokens.js';
import { tokenise } from './tokenise.js';
import { KIND, type Tokens } from './tokens.js';

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

/** Reads up to four turns before the message; pure. */
export function contextSigns(tokens: Tokens, context: readonly ContextTurn[], lexicons: readonly Lexicon[]): ContextSigns {
  let repeats = false;
  let failures = 0;
  let claimedFixed = false;
  const words = wordHashes(tokens, 0);
  for (let index = Math.max(0, context.length - MOST_TURNS); index < context.length; index += 1) {
    const turn = context[index] as ContextTurn;
    if (turn.role === 'assistant') {
      if (CLAIMS.test(turn.text.slice(0, MOST_CHARS))) claimedFixed = true;
      continue;
    }
    const before = tokenise(maskText(normalise(turn.text.slice(-MOST_CHARS))), takeTokens());
    if (words.length >= 2 && overlap(words, wordHashes(before, 1)) >= ALIKE) repeats = true;
    const { cues } = scanFeelings(before, lexicons);
    if ((cues[FAILURE] ?? 0) + (cues[AGAIN] ?? 0) + (cues[FRUSTRATED] ?? 0) > 0) failures += 1;
    giveBack(before);
  }
  return { repeats, claimedFixed, failures };
}

/** Room for the words of a message and of a turn before it. */
const rooms = [new Int32Array(512), new Int32Array(512)];

/** The hashes of the words of a text, each once, in order; read before the same room is asked for again. */
function wordHashes({ kinds, hashes, size }: Tokens, room: 0 | 1): Int32Array {
  if (size > (rooms[room] as Int32Array).length) rooms[room] = new Int32Array(size * 2);
  const into = rooms[room] as Int32Array;
  let count = 0;
  for (let place = 0; place < size; place += 1) {
    if (kinds[place] === KIND.word || kinds[place] === KIND.cjk) into[count++] = hashes[place] as number;
  }
  const sorted = into.subarray(0, count).sort();
  let kept = 0;
  for (let at = 0; at < count; at += 1) if (at === 0 || sorted[at] !== sorted[kept - 1]) sorted[kept++] = sorted[at] as number;
  return into.subarray(0, kept);
}

/** Shared words over all words. */
function overlap(a: Int32Array, b: Int32Array): number {
  let shared = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const difference = (a[i] as number) - (b[j] as number);
    if (difference === 0) shared += 1;
    if (difference <= 0) i += 1;
    if (difference >= 0) j += 1;
  }
  return shared / (a.length + b.length - shared);
}
