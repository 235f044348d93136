import { CJK, classOf, DIGIT, EMOJI, LETTER, MASK, SPACE, wordEnd } from './char-class.js';
import { chunkEnd, isName } from './find-names.js';
import { MASKS } from './mask-text.js';
import { mark } from './read-marks.js';
import { KIND, pop, push, type Tokens } from './tokens.js';

/**
 * Splits a normalised, masked text. Words keep inner apostrophes; Chinese, Japanese kana and Han come out one character
 * a token; identifiers, paths and file names become one mask. Linear in the length of the text.
 */
export function tokenise(text: string): Tokens {
  const lower = text.toLowerCase();
  // Rare letters grow when lowered; then positions no longer agree and capitals are given up.
  const raw = lower.length === text.length ? text : lower;
  const tokens: Tokens = { texts: [], kinds: [], capitals: [], joined: [], letters: 0, uppers: 0 };
  const length = lower.length;
  let at = 0;
  let hyphenBefore = false;
  while (at < length) {
    const code = lower.charCodeAt(at);
    const type = classOf(code);
    if (type === SPACE) {
      hyphenBefore = false;
      at += 1;
    } else if (type === LETTER || type === DIGIT) {
      const end = wordEnd(lower, at);
      if (isName(lower, raw, at, end)) {
        // Whom a message is addressed to says nothing of how it feels: @names leave no trace.
        const isMention = at > 0 && lower.charCodeAt(at - 1) === 64;
        if (isMention && tokens.texts.at(-1) === '@') pop(tokens);
        at = chunkEnd(lower, end);
        if (!isMention) push(tokens, MASKS.name, KIND.mask, 0, 0);
        hyphenBefore = false;
        continue;
      }
      const hyphenAfter = lower.charCodeAt(end) === 45 && end + 1 < length && classOf(lower.charCodeAt(end + 1)) === LETTER;
      push(tokens, lower.slice(at, end), KIND.word, allCapitals(tokens, lower, raw, at, end), hyphenBefore || hyphenAfter ? 1 : 0);
      hyphenBefore = hyphenAfter;
      at = hyphenAfter ? end + 1 : end;
    } else if (type === CJK) {
      const wide = code >= 0xd800 && code <= 0xdbff ? 2 : 1;
      push(tokens, lower.slice(at, at + wide), KIND.cjk, 0, 0);
      at += wide;
    } else if (type === EMOJI) {
      const wide = code >= 0xd800 && code <= 0xdbff ? 2 : 1;
      push(tokens, lower.slice(at, at + wide), KIND.emoji, 0, 0);
      at += wide;
    } else if (type === MASK) {
      push(tokens, lower[at] ?? '', KIND.mask, 0, 0);
      at += 1;
    } else {
      at = mark(tokens, lower, at);
      hyphenBefore = false;
    }
  }
  return tokens;
}

function allCapitals(tokens: Tokens, lower: string, raw: string, start: number, end: number): number {
  let letters = 0;
  let uppers = 0;
  for (let at = start; at < end; at += 1) {
    const code = lower.charCodeAt(at);
    if (code >= 48 && code <= 57) continue;
    letters += 1;
    if (raw.charCodeAt(at) !== code) uppers += 1;
  }
  tokens.letters += letters;
  tokens.uppers += uppers;
  return uppers >= 2 && uppers >= letters - (letters > 3 ? 1 : 0) ? 1 : 0;
}
