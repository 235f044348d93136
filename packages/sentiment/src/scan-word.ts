import { classOf, DIGIT, LETTER } from './char-class.js';
import { hashNext, hashStart, STEM_LENGTH, STEM_START } from './hash-text.js';
import { KIND } from './tokens.js';

/** All that one walk over the characters of a word tells. */
export interface ScannedWord {
  /** Where it ends (exclusive), and the character there; a space at the end of the text. */
  end: number;
  next: number;
  /** As `hashOf` with the seed of words gives it, and as `stemHash` does. */
  hash: number;
  stem: number;
  digits: number;
  uppers: number;
  /** A small letter before a capital one, as in `renderList`; names such as GitHub are caught too, which does no harm. */
  isCamelCase: boolean;
  hasApostrophe: boolean;
}

const START = /* @__PURE__ */ hashStart(KIND.word);

/**
 * Walks a word that starts here, inner apostrophes included, and writes what it finds to `word`.
 *
 * @param raw - The text as it was typed; `lower` where it has no capitals.
 * @param length - Of `lower` and of `raw`.
 */
export function scanWord(raw: string, lower: string, length: number, start: number, word: ScannedWord): void {
  const stemEnd = start + STEM_LENGTH;
  let hash = START;
  let stem = STEM_START;
  let next = SPACE_CODE;
  let at = start;
  word.digits = 0;
  word.uppers = 0;
  word.isCamelCase = false;
  word.hasApostrophe = false;
  for (; at < length; at += 1) {
    let code = raw.charCodeAt(at);
    // Small letters are nearly all of most texts.
    if (!isSmall(code)) {
      if (code === SPACE_CODE) break;
      code = otherLetter(raw, lower, length, start, at, word);
      if (code === 0) {
        next = lower.charCodeAt(at);
        break;
      }
    }
    hash = hashNext(hash, code);
    if (at < stemEnd) stem = hashNext(stem, code);
  }
  word.end = at;
  word.next = next;
  word.hash = hash;
  word.stem = stem;
}

/** Notes what a digit, a capital or a letter beyond a to z tells; returns it in lower case, or 0 where the word ends. */
function otherLetter(raw: string, lower: string, length: number, start: number, at: number, word: ScannedWord): number {
  const typed = raw.charCodeAt(at);
  const code = lower.charCodeAt(at);
  const type = classOf(code);
  if (type === DIGIT) word.digits += 1;
  else if (type === LETTER) {
    if (typed === code) return code;
    word.uppers += 1;
    if (typed <= LAST_CAPITAL && at > start && isSmall(raw.charCodeAt(at - 1))) word.isCamelCase = true;
  } else {
    if (code !== APOSTROPHE || at === start || !isLetterAt(lower, length, at + 1)) return 0;
    word.hasApostrophe = true;
  }
  return code;
}

const SPACE_CODE = 32;
const APOSTROPHE = 39;
/** Z, the last of the plain ones. */
const LAST_CAPITAL = 90;

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isLetterAt(lower: string, length: number, at: number): boolean {
  return at < length && classOf(lower.charCodeAt(at)) === LETTER;
}
