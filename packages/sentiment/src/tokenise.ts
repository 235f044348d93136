import { CJK, classOf, DIGIT, EMOJI, LETTER, MASK, SPACE } from './char-class.js';
import { type Contractions, contractions } from './contractions.js';
import { chunkEnd, isName } from './find-names.js';
import { MASKS } from './mask-text.js';
import { mark } from './read-marks.js';
import { type ScannedWord, scanWord } from './scan-word.js';
import { createTokens, KIND, kindOf, pop, push, pushSpan, pushText, replaceWord, type Tokens, textOf, WRITTEN, write } from './tokens.js';

const SPACE_CODE = 32;
const HYPHEN = 45;

/**
 * Splits a normalised, masked text. Words keep inner apostrophes; Chinese, Japanese kana and Han come out one character
 * a token; identifiers, paths and file names become one mask; English contractions get their one spelling. Linear in the
 * length of the text.
 *
 * @param tokens - An empty list to fill, for texts that are read and forgotten.
 * @param isLower - Whether the text is known to have no capitals.
 */
export function tokenise(text: string, tokens: Tokens = createTokens(), isLower = false): Tokens {
  const lower = isLower ? text : text.toLowerCase();
  // Rare letters grow when lowered; then positions no longer agree and capitals are given up.
  const raw = lower.length === text.length ? text : lower;
  const hasCapitals = raw !== lower;
  tokens.source = lower;
  const { length } = lower;
  const short = contractions();
  const word: ScannedWord = { end: 0, next: 0, hash: 0, stem: 0, digits: 0, uppers: 0, isCamelCase: false, hasApostrophe: false };
  let at = 0;
  let spaceBefore = true;
  let hyphenBefore = false;
  while (at < length) {
    const code = lower.charCodeAt(at);
    const type = classOf(code);
    const isBehindSpace = spaceBefore;
    spaceBefore = false;
    if (type === SPACE) {
      hyphenBefore = false;
      spaceBefore = true;
      at += 1;
    } else if (type === LETTER || type === DIGIT) {
      scanWord(raw, lower, length, at, word);
      const { end } = word;
      // Between blanks only its own letters can tell.
      if ((!isBehindSpace || word.next > SPACE_CODE || word.isCamelCase) && isName(lower, length, at, word)) {
        // Whom a message is addressed to says nothing of how it feels: @names leave no trace.
        const isMention = at > 0 && lower.charCodeAt(at - 1) === 64;
        if (isMention && textOf(tokens, tokens.size - 1) === '@') pop(tokens);
        at = chunkEnd(lower, end);
        if (!isMention) pushText(tokens, KIND.mask, MASKS.name);
        hyphenBefore = false;
        continue;
      }
      const hyphenAfter = word.next === HYPHEN && end + 1 < length && classOf(lower.charCodeAt(end + 1)) === LETTER;
      const number = short.words.find(word.hash, word.stem, end - at);
      const place = number === 0 ? push(tokens, KIND.word, at, end - at, word.hash, word.stem) : addShort(tokens, at, word, number, short);
      if (word.hasApostrophe && place !== -1) write(tokens, place, WRITTEN.apostrophe);
      if (hasCapitals && countCapitals(tokens, end - at, word) && place !== -1) write(tokens, place, WRITTEN.capitals);
      if ((hyphenBefore || hyphenAfter) && place !== -1) write(tokens, place, WRITTEN.joined);
      hyphenBefore = hyphenAfter;
      spaceBefore = word.next === SPACE_CODE;
      at = hyphenAfter || spaceBefore ? end + 1 : end;
    } else if (type === CJK || type === EMOJI) {
      at = addCharacter(tokens, at, code, type === CJK ? KIND.cjk : KIND.emoji);
    } else if (type === MASK) {
      pushText(tokens, KIND.mask, lower[at] ?? '');
      at += 1;
    } else {
      at = mark(tokens, lower, at);
      hyphenBefore = false;
    }
  }
  return tokens;
}

/** Adds a word, or makes one with the word before; returns its place, or -1 when it got none of its own. */
function addShort(tokens: Tokens, start: number, { end, hash, stem }: ScannedWord, number: number, short: Contractions): number {
  const spelling = short.spelling(number);
  const word = spelling === undefined ? number : short.words.numberOf(spelling);
  const before = tokens.size - 1;
  if (short.isSecond(word) && kindOf(tokens, before) === KIND.word) {
    const first = short.words.find(tokens.hashes[before] as number, tokens.stems[before] as number, tokens.lengths[before] as number);
    const both = short.pair(first, word);
    if (both !== undefined) {
      replaceWord(tokens, before, both);
      return -1;
    }
  }
  const place = push(tokens, KIND.word, start, end - start, hash, stem);
  if (spelling !== undefined) replaceWord(tokens, place, spelling);
  return place;
}

/** Adds one character, of two units where they are a pair; returns where it ends. */
function addCharacter(tokens: Tokens, start: number, code: number, kind: number): number {
  const end = code >= 0xd800 && code <= 0xdbff && start + 1 < tokens.source.length ? start + 2 : start + 1;
  pushSpan(tokens, kind, start, end);
  return end;
}

/** Counts a word's letters and capitals; returns whether it is all capitals, but for one in a longer word. */
function countCapitals(tokens: Tokens, length: number, { digits, uppers }: ScannedWord): boolean {
  const letters = length - digits;
  tokens.letters += letters;
  tokens.uppers += uppers;
  return uppers >= 2 && uppers >= letters - (letters > 3 ? 1 : 0);
}
