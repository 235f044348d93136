import { CJK, classOf, DIGIT, EMOJI, LETTER, MASK, SPACE } from './char-class.js';
import { contraction, isPlain, spelled } from './contractions.js';
import { chunkEnd, isName } from './find-names.js';
import { MASKS } from './mask-text.js';
import { mark } from './read-marks.js';
import { type ScannedWord, scanWord } from './scan-word.js';
import { createTokens, KIND, pop, push, replaceWord, type Tokens, trim, withPlace } from './tokens.js';

/**
 * Splits a normalised, masked text. Words keep inner apostrophes; Chinese, Japanese kana and Han come out one character
 * a token; identifiers, paths and file names become one mask. Linear in the length of the text.
 *
 * @param contracts - Whether each English contraction gets its one spelling.
 */
export function tokenise(text: string, contracts: boolean): Tokens {
  const lower = text.toLowerCase();
  // Rare letters grow when lowered; then positions no longer agree and capitals are given up.
  const raw = lower.length === text.length ? text : lower;
  const hasCapitals = raw !== lower;
  const tokens = createTokens(text.length);
  const { length } = lower;
  const word: ScannedWord = { end: 0, hash: 0 };
  let at = 0;
  let hyphenBefore = false;
  while (at < length) {
    const code = lower.charCodeAt(at);
    const type = classOf(code);
    if (type === SPACE) {
      hyphenBefore = false;
      at += 1;
    } else if (type === LETTER || type === DIGIT) {
      scanWord(lower, length, at, word);
      const { end } = word;
      if (isName(lower, length, hasCapitals ? raw : undefined, at, end)) {
        // Whom a message is addressed to says nothing of how it feels: @names leave no trace.
        const isMention = at > 0 && lower.charCodeAt(at - 1) === 64;
        if (isMention && tokens.texts[tokens.size - 1] === '@') pop(tokens);
        at = chunkEnd(lower, end);
        if (!isMention) push(tokens, MASKS.name, KIND.mask);
        hyphenBefore = false;
        continue;
      }
      const hyphenAfter = end + 1 < length && lower.charCodeAt(end) === 45 && classOf(lower.charCodeAt(end + 1)) === LETTER;
      const isAllCapitals = hasCapitals && countCapitals(tokens, lower, raw, at, end);
      const place = addWord(tokens, lower.slice(at, end), word, contracts);
      if (isAllCapitals && place !== -1) tokens.capitals = withPlace(tokens.capitals, place);
      if ((hyphenBefore || hyphenAfter) && place !== -1) tokens.joined = withPlace(tokens.joined, place);
      hyphenBefore = hyphenAfter;
      at = hyphenAfter ? end + 1 : end;
    } else if (type === CJK) {
      const wide = code >= 0xd800 && code <= 0xdbff ? 2 : 1;
      push(tokens, lower.slice(at, at + wide), KIND.cjk);
      at += wide;
    } else if (type === EMOJI) {
      const wide = code >= 0xd800 && code <= 0xdbff ? 2 : 1;
      push(tokens, lower.slice(at, at + wide), KIND.emoji);
      at += wide;
    } else if (type === MASK) {
      push(tokens, lower[at] ?? '', KIND.mask);
      at += 1;
    } else {
      at = mark(tokens, lower, at);
      hyphenBefore = false;
    }
  }
  return trim(tokens);
}

/** Adds a word, or makes one with the word before; returns its place, or -1 when it got none of its own. */
function addWord(tokens: Tokens, text: string, { hash }: ScannedWord, contracts: boolean): number {
  const place = tokens.size;
  if (contracts && !isPlain(text)) {
    const word = spelled(text);
    if (place > 0 && tokens.kinds[place - 1] === KIND.word) {
      const both = contraction(tokens.texts[place - 1] as string, word);
      if (both !== undefined) {
        replaceWord(tokens, place - 1, both);
        return -1;
      }
    }
    if (word !== text) {
      push(tokens, word, KIND.word);
      return place;
    }
  }
  push(tokens, text, KIND.word, hash);
  return place;
}

/** Counts a word's letters and capitals; returns whether it is all capitals, but for one in a longer word. */
function countCapitals(tokens: Tokens, lower: string, raw: string, start: number, end: number): boolean {
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
  return uppers >= 2 && uppers >= letters - (letters > 3 ? 1 : 0);
}
