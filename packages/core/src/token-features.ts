import {
  BLANK,
  CAPITAL_LETTER,
  DIGIT,
  isBlank,
  isCapital,
  isDigit,
  isLatin,
  isLine,
  isVietnamese,
  KINDS,
  LINE,
  LOWER,
  PUNCTUATION,
} from './char-kinds.js';
import { FEATURE_AT as AT } from './feature-names.js';

export { FEATURES } from './feature-names.js';

const { spaced: SPACED, joined: JOINED, inner: INNER, capital: CAPITAL, upper: UPPER } = AT;
const { digitGroup: DIGITS, spaceAlone: SPACE_ALONE, sign: SIGN, signMore: SIGN_MORE, break: BREAK, indent: INDENT } = AT;

/** A run of letters and digits at least this long is looked at for density. */
const DENSE_LENGTH = 16;
/** The commonest short words of English, each as a number: five bits a letter. */
const ENGLISH: ReadonlySet<number> = new Set(
  'the of and to in is that for it on with as was be are by this you not or from have at an we but if can all will i your they has which their one so what my do me'
    .split(' ')
    .map((word) => [...word].reduce((packed, letter) => packed * 32 + letter.charCodeAt(0) - 96, 0)),
);

/**
 * Adds up the weights of what a text is made of, in one pass. Linear in the weights: with a weight of 1 for one feature
 * and 0 for the others it counts that feature.
 *
 * @param weights - One for each entry of {@link FEATURES}.
 */
export function weighText(text: string, weights: readonly number[]): number {
  const length = text.length;
  let total = 0;
  let words = 0;
  let english = 0;
  let signs = 0;
  let letters = 0;
  let looked = 0;
  let index = 0;
  while (index < length) {
    const code = text.charCodeAt(index);
    const kind = code < 128 ? KINDS[code]! : 0;
    if (kind === LOWER || kind === CAPITAL_LETTER || kind === DIGIT) {
      if (index >= looked) {
        looked = endOfRun(text, index);
        if (looked - index >= DENSE_LENGTH) {
          const dense = densityOf(text, index, looked);
          if (dense > 0) {
            total += (looked - index) * weights[dense]!;
            index = looked;
            continue;
          }
        }
      }
      if (kind === DIGIT) {
        const start = index;
        do index += 1;
        while (index < length && isDigit(text.charCodeAt(index)));
        total += Math.ceil((index - start) / 3) * weights[DIGITS]!;
        if (start > 0 && text.charCodeAt(start - 1) === 32) total += weights[SPACE_ALONE]!;
        continue;
      }
    }
    if (kind === LOWER || kind === CAPITAL_LETTER || (kind === 0 && isLatin(code))) {
      const start = index;
      let capitals = 0;
      let marked = 0;
      let far = 0;
      let vietnamese = 0;
      let packed = 0;
      let small = false;
      // Capitals, then small letters: `HTMLParser` is one piece, `getName` two.
      for (; index < length; index += 1) {
        const letter = text.charCodeAt(index);
        const of = letter < 128 ? KINDS[letter]! : 0;
        if (of === LOWER) {
          small = true;
          packed = packed * 32 + letter - 96;
        } else if (of === CAPITAL_LETTER) {
          if (small) break;
          capitals += 1;
        } else if (of === 0 && isLatin(letter)) {
          if (!isCapital(letter)) small = true;
          else if (small) break;
          else capitals += 1;
          marked += 1;
          if (letter > 255) far += 1;
          if (isVietnamese(letter)) vietnamese += 1;
        } else break;
      }
      const size = index - start;
      const before = start === 0 ? 32 : text.charCodeAt(start - 1);
      const isSpaced = before === 32 || before === 10;
      letters += size;
      words += 1;
      if (capitals > 1) {
        total += weights[UPPER]!;
        if (size > 2) total += (size - 2) * weights[UPPER + 1]!;
      } else if (capitals === 1 && isSpaced) {
        total += weights[CAPITAL]!;
        if (size > 4) total += (size - 4) * weights[CAPITAL + 1]!;
        if (size > 8) total += (size - 8) * weights[CAPITAL + 2]!;
      } else {
        if (isSpaced && size < 6 && ENGLISH.has(packed)) english += 1;
        const base = isSpaced ? SPACED : before < 128 && KINDS[before]! <= DIGIT ? INNER : JOINED;
        total += weights[base]!;
        if (size > 4) total += (size - 4) * weights[base + 1]!;
        if (size > 8) total += (size - 8) * weights[base + 2]!;
        if (size > 12) total += (size - 12) * weights[base + 3]!;
      }
      if (vietnamese > 0) total += marked * weights[AT.vietnamese]!;
      else if (marked > 0) total += marked * weights[AT.accented]! + far * weights[AT.accentedFar]! + weights[AT.accentedWord]!;
    } else if (kind === BLANK || code === 160) {
      const start = index;
      do index += 1;
      while (index < length && isBlank(text.charCodeAt(index)));
      // A blank goes with the word behind it; before a break it goes with the break.
      if (index - start === 1 && code !== 9) continue;
      if (index < length && !isLine(text.charCodeAt(index))) {
        total += weights[INDENT]!;
        if (index - start > 17) total += ((index - start - 17) / 16) * weights[INDENT + 1]!;
      }
    } else if (kind === LINE) {
      const start = index;
      total += weights[BREAK]!;
      index = endOfBreaks(text, index);
      if (index - start > 17) total += ((index - start - 17) / 16) * weights[INDENT + 1]!;
    } else if (kind === PUNCTUATION) {
      const start = index;
      let repeated = 0;
      let last = code;
      for (index += 1; index < length; index += 1) {
        const next = text.charCodeAt(index);
        if (next >= 128 || KINDS[next] !== PUNCTUATION) break;
        if (next === last) repeated += 1;
        last = next;
      }
      const size = index - start;
      signs += size;
      total += weights[SIGN]!;
      if (size > 1) {
        const same = repeated > 3 ? repeated : 0;
        total += (size - 1 - same) * weights[SIGN_MORE]! + same * weights[SIGN_MORE + 1]!;
      }
      while (index < length && isLine(text.charCodeAt(index))) index += 1;
    } else {
      const isPair = code >= 0xd800 && code <= 0xdbff && index + 1 < length;
      total += weighOther(isPair ? text.codePointAt(index)! : code, index === 0 ? 32 : text.charCodeAt(index - 1), weights);
      index += isPair ? 2 : 1;
    }
  }
  if (words > 8 && signs < 0.1 * length && letters > 0.5 * length) {
    const foreign = Math.max(0, 1 - (english / words) * 5);
    total += foreign * (letters * weights[AT.foreignLetter]! + words * weights[AT.foreignWord]!);
  }
  return total;
}

function weighOther(scalar: number, before: number, weights: readonly number[]): number {
  if (scalar >= 0x3000) {
    if ((scalar >= 0x3400 && scalar < 0xa000) || (scalar >= 0x20000 && scalar < 0x40000)) return weights[AT.han]!;
    if (scalar >= 0xac00 && scalar < 0xd7b0) return weights[AT.hangul]!;
    if (scalar >= 0x3040 && scalar < 0x3100) return weights[scalar < 0x30a0 ? AT.kana : AT.katakana]!;
    if (scalar >= 0x10000) return weights[AT.emoji]!;
    // Letters of Korean that stand alone, and the pictures that terminals draw with.
    if ((scalar >= 0x3130 && scalar < 0x3190) || (scalar >= 0xe000 && scalar < 0xf900)) return 2 * weights[AT.otherLetter]!;
    return weights[scalar < 0x3040 || scalar >= 0xff00 ? AT.wideSign : AT.otherLetter]!;
  }
  if (scalar < 0x370) return weights[scalar < 0xc0 ? AT.wideSign : AT.otherLetter]!;
  if (scalar < 0x400) return weights[AT.greek]!;
  if (scalar < 0x530) return weights[AT.cyrillic]! + (before < 0x400 ? weights[AT.cyrillicWord]! : 0);
  if (scalar >= 0x590 && scalar < 0x600) return weights[AT.hebrew]!;
  if (scalar >= 0x600 && scalar < 0x780) return weights[AT.arabic]! + (before < 0x600 ? weights[AT.arabicWord]! : 0);
  if (scalar >= 0x900 && scalar < 0x980) return weights[AT.devanagari]!;
  if (scalar >= 0x980 && scalar < 0xd80) return weights[AT.indic]!;
  // Scripts that the vocabulary hardly knows go byte by byte: Lao and Tibetan, Ethiopic, Cherokee and Mongolian, Braille.
  if (scalar >= 0xe80 && scalar < 0x1000) return 2 * weights[AT.otherLetter]!;
  if ((scalar >= 0xe00 && scalar < 0x10a0) || (scalar >= 0x1780 && scalar < 0x1800)) return weights[AT.southEastAsian]!;
  if (scalar >= 0x1100 && scalar < 0x1200) return weights[AT.hangul]!;
  if ((scalar >= 0x1200 && scalar < 0x2000) || (scalar >= 0x2800 && scalar < 0x2900)) return 3 * weights[AT.otherLetter]!;
  return weights[scalar >= 0x2000 && scalar < 0x2c00 ? AT.wideSign : AT.otherLetter]!;
}

/** Past the end of a run of ASCII letters, digits and the signs of base64. */
function endOfRun(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code >= 128) break;
    const kind = KINDS[code]!;
    if (kind > DIGIT && code !== 43 && code !== 47 && code !== 61 && code !== 95 && code !== 45) break;
    index += 1;
  }
  return index;
}

/** Noise changes its kind at every other step; words seldom do. A small letter behind a capital is no change: words begin so. */
function densityOf(text: string, start: number, end: number): number {
  let changes = 0;
  let capitals = 0;
  let digits = 0;
  let previous = KINDS[text.charCodeAt(start)]!;
  for (let index = start; index < end; index += 1) {
    const kind = KINDS[text.charCodeAt(index)]!;
    if (kind === CAPITAL_LETTER) capitals += 1;
    else if (kind === DIGIT) digits += 1;
    if (kind !== previous && !(kind === LOWER && previous === CAPITAL_LETTER)) changes += 1;
    previous = kind;
  }
  const size = end - start;
  if (changes <= 0.3 * size || digits >= 0.9 * size) return 0;
  return capitals === 0 || capitals + digits > 0.98 * size ? AT.denseLower : AT.dense;
}

/** Past line breaks and the blanks between them, but not the blanks before what follows. */
function endOfBreaks(text: string, start: number): number {
  let end = start + 1;
  for (let index = end; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isLine(code)) end = index + 1;
    else if (!isBlank(code)) break;
  }
  return end;
}
