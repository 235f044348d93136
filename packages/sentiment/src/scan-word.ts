import { classOf, DIGIT, LETTER } from './char-class.js';
import { hashNext, hashStart } from './hash-text.js';
import { KIND } from './tokens.js';

/** All that one walk over the characters of a word tells. */
export interface ScannedWord {
  /** Where it ends (exclusive). */
  end: number;
  /** As `hashOf` with the seed of words gives it. */
  hash: number;
}

const START = /* @__PURE__ */ hashStart(KIND.word);

/**
 * Walks a word that starts here, inner apostrophes included, and writes what it finds to `word`.
 *
 * @param length - Of `lower`.
 */
export function scanWord(lower: string, length: number, start: number, word: ScannedWord): void {
  let hash = START;
  let at = start;
  for (; at < length; at += 1) {
    const code = lower.charCodeAt(at);
    // Small letters are nearly all of most texts.
    if ((code < 97 || code > 122) && !isOfWord(lower, length, start, at, code)) break;
    hash = hashNext(hash, code);
  }
  word.end = at;
  word.hash = hash;
}

function isOfWord(lower: string, length: number, start: number, at: number, code: number): boolean {
  const type = classOf(code);
  if (type === LETTER || type === DIGIT) return true;
  return code === 39 && at > start && at + 1 < length && classOf(lower.charCodeAt(at + 1)) === LETTER;
}
