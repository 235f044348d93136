/**
 * What a text is made of, as the pretokenizer of a modern byte-pair encoding sees it: words, groups of digits, runs of
 * signs, breaks, and letters of other scripts. `estimateTextTokens` weighs these counts.
 */
export const FEATURES = [
  // Words of Latin letters: how many, and letters past the 4th, 8th and 12th. A word that follows a space is cheaper than one inside an identifier.
  'spaced',
  'spacedOver4',
  'spacedOver8',
  'spacedOver12',
  'joined',
  'joinedOver4',
  'joinedOver8',
  'joinedOver12',
  'capital',
  'capitalOver4',
  'capitalOver8',
  'upper',
  'upperOver2',
  'accented',
  'accentedWord',
  'foreignLetter',
  'foreignWord',
  'digitGroup',
  'spaceAlone',
  'sign',
  'signMore',
  'signRepeated',
  'break',
  'indent',
  'indentLong',
  'dense',
  'denseLower',
  'han',
  'kana',
  'hangul',
  'cyrillic',
  'cyrillicWord',
  'greek',
  'arabic',
  'arabicWord',
  'hebrew',
  'indic',
  'southEastAsian',
  'otherLetter',
  'wideSign',
  'emoji',
] as const;

export type Feature = (typeof FEATURES)[number];

/** Position of each feature in the counts; a constant lookup. */
const AT = Object.fromEntries(FEATURES.map((name, index) => [name, index])) as Record<Feature, number>;

const SPACED = AT.spaced;
const JOINED = AT.joined;
const CAPITAL = AT.capital;
const UPPER = AT.upper;
/** A run of letters and digits at least this long is looked at for density. */
const DENSE_LENGTH = 16;

/**
 * Counts the features of a text in one pass.
 *
 * @returns One number for each entry of {@link FEATURES}.
 */
export function tokenFeatures(text: string): number[] {
  const counts = new Array<number>(FEATURES.length).fill(0);
  const add = (index: number, by: number): void => {
    counts[index] = counts[index]! + by;
  };
  const length = text.length;
  let words = 0;
  let englishWords = 0;
  let signs = 0;
  let latinLetters = 0;
  let index = 0;
  while (index < length) {
    const code = text.charCodeAt(index);
    if (isAsciiLetter(code) || isDigit(code)) {
      const end = endOfDense(text, index);
      if (end > index) {
        const run = densityOf(text, index, end);
        if (run.dense) {
          add(run.lowerOnly ? AT.denseLower : AT.dense, end - index);
          index = end;
          continue;
        }
      }
    }
    if (isDigit(code)) {
      const start = index;
      while (index < length && isDigit(text.charCodeAt(index))) index += 1;
      add(AT.digitGroup, Math.ceil((index - start) / 3));
      if (start > 0 && text.charCodeAt(start - 1) === 32) add(AT.spaceAlone, 1);
    } else if (isLatin(code)) {
      const start = index;
      let upper = 0;
      let accented = 0;
      while (index < length) {
        const letter = text.charCodeAt(index);
        if (!isLatin(letter) || !isUpper(letter)) break;
        if (letter > 127) accented += 1;
        upper += 1;
        index += 1;
      }
      while (index < length) {
        const letter = text.charCodeAt(index);
        if (!isLatin(letter) || isUpper(letter)) break;
        if (letter > 127) accented += 1;
        index += 1;
      }
      const size = index - start;
      const before = start > 0 ? text.charCodeAt(start - 1) : 32;
      const spaced = before === 32 || before === 10;
      latinLetters += size;
      words += 1;
      if (upper === 0 && spaced && isCommonEnglish(text, start, size)) englishWords += 1;
      if (upper > 1) {
        add(UPPER, 1);
        if (size > 2) add(UPPER + 1, size - 2);
      } else if (upper === 1 && spaced) {
        add(CAPITAL, 1);
        if (size > 4) add(CAPITAL + 1, size - 4);
        if (size > 8) add(CAPITAL + 2, size - 8);
      } else {
        const base = spaced ? SPACED : JOINED;
        add(base, 1);
        if (size > 4) add(base + 1, size - 4);
        if (size > 8) add(base + 2, size - 8);
        if (size > 12) add(base + 3, size - 12);
      }
      if (accented > 0) {
        add(AT.accented, accented);
        add(AT.accentedWord, 1);
      }
    } else if (code === 32 || code === 9 || code === 160) {
      const start = index;
      while (index < length && isBlank(text.charCodeAt(index))) index += 1;
      const next = index < length ? text.charCodeAt(index) : 10;
      const size = index - start;
      if (next !== 10 && next !== 13 && size > 1) {
        add(AT.indent, 1);
        if (size > 17) add(AT.indentLong, (size - 17) / 16);
      } else if (next !== 10 && next !== 13 && code === 9) add(AT.indent, 1);
    } else if (code === 10 || code === 13) {
      while (index < length && isSpace(text.charCodeAt(index))) {
        index += 1;
        if (isBlank(text.charCodeAt(index - 1)) && !endsInBreak(text, index)) {
          index -= 1;
          break;
        }
      }
      add(AT.break, 1);
    } else if (code < 128) {
      const start = index;
      let repeated = 0;
      index += 1;
      while (index < length && isAsciiSign(text.charCodeAt(index))) {
        if (text.charCodeAt(index) === text.charCodeAt(index - 1)) repeated += 1;
        index += 1;
      }
      const size = index - start;
      signs += size;
      add(AT.sign, 1);
      if (size > 1) {
        const same = repeated > 3 ? repeated : 0;
        add(AT.signRepeated, same);
        add(AT.signMore, size - 1 - same);
      }
      while (index < length && (text.charCodeAt(index) === 10 || text.charCodeAt(index) === 13)) index += 1;
    } else {
      const wide = code >= 0xd800 && code <= 0xdbff && index + 1 < length;
      const scalar = wide ? text.codePointAt(index)! : code;
      addOther(scalar, index > 0 ? text.charCodeAt(index - 1) : 32, add);
      index += wide ? 2 : 1;
    }
  }
  const prose = signs < 0.1 * length && latinLetters > 0.5 * length;
  if (prose && words > 8) {
    const foreign = Math.max(0, 1 - (englishWords / words) * 5);
    add(AT.foreignLetter, foreign * latinLetters);
    add(AT.foreignWord, foreign * words);
  }
  return counts;
}

function addOther(scalar: number, before: number, add: (index: number, by: number) => void): void {
  if (scalar >= 0x0400 && scalar <= 0x052f) {
    add(AT.cyrillic, 1);
    if (before < 0x0400) add(AT.cyrillicWord, 1);
  } else if ((scalar >= 0x4e00 && scalar <= 0x9fff) || (scalar >= 0x3400 && scalar <= 0x4dbf) || (scalar >= 0x20000 && scalar <= 0x3ffff))
    add(AT.han, 1);
  else if (scalar >= 0x3040 && scalar <= 0x30ff) add(AT.kana, 1);
  else if ((scalar >= 0xac00 && scalar <= 0xd7af) || (scalar >= 0x1100 && scalar <= 0x11ff)) add(AT.hangul, 1);
  else if (scalar >= 0x0600 && scalar <= 0x077f) {
    add(AT.arabic, 1);
    if (before < 0x0600) add(AT.arabicWord, 1);
  } else if (scalar >= 0x0590 && scalar <= 0x05ff) add(AT.hebrew, 1);
  else if (scalar >= 0x0370 && scalar <= 0x03ff) add(AT.greek, 1);
  else if (scalar >= 0x0900 && scalar <= 0x0dff) add(AT.indic, 1);
  else if ((scalar >= 0x0e00 && scalar <= 0x109f) || (scalar >= 0x1780 && scalar <= 0x17ff)) add(AT.southEastAsian, 1);
  else if (scalar >= 0x10000) add(AT.emoji, 1);
  else if ((scalar >= 0x2000 && scalar <= 0x2bff) || (scalar >= 0x3000 && scalar <= 0x303f) || scalar >= 0xff00 || scalar < 0xc0)
    add(AT.wideSign, 1);
  else add(AT.otherLetter, 1);
}

const COMMON = new Set(
  'the of and to in is that for it on with as was be are by this you not or from have at an we but if can all will i your they has which their one so what my do me'.split(
    ' ',
  ),
);

function isCommonEnglish(text: string, start: number, size: number): boolean {
  return size <= 5 && COMMON.has(text.slice(start, start + size));
}

/** Past the end of a run of letters, digits and the signs of base64, or `start` when it is short. */
function endOfDense(text: string, start: number): number {
  const before = start > 0 ? text.charCodeAt(start - 1) : 32;
  if (isAsciiLetter(before) || isDigit(before)) return start;
  let index = start;
  while (index < text.length && isDenseSign(text.charCodeAt(index))) index += 1;
  return index - start >= DENSE_LENGTH ? index : start;
}

/** Noise changes between small letters, capitals and digits at every other step; names and words seldom do. */
function densityOf(text: string, start: number, end: number): { dense: boolean; lowerOnly: boolean } {
  let changes = 0;
  let capitals = 0;
  let digits = 0;
  let previous = kindOf(text.charCodeAt(start));
  for (let index = start; index < end; index += 1) {
    const kind = kindOf(text.charCodeAt(index));
    if (kind === 1) capitals += 1;
    else if (kind === 2) digits += 1;
    if (kind !== previous) changes += 1;
    previous = kind;
  }
  const size = end - start;
  return { dense: changes > 0.26 * size && digits < 0.9 * size, lowerOnly: capitals === 0 || capitals + digits > 0.98 * size };
}

function kindOf(code: number): number {
  return code >= 97 && code <= 122 ? 0 : code >= 65 && code <= 90 ? 1 : code >= 48 && code <= 57 ? 2 : 3;
}

function isAsciiLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isDenseSign(code: number): boolean {
  return isAsciiLetter(code) || isDigit(code) || code === 43 || code === 47 || code === 61 || code === 95 || code === 45;
}

/** Latin letters with and without marks, Vietnamese ones included. */
function isLatin(code: number): boolean {
  return (
    isAsciiLetter(code) ||
    (code >= 0xc0 && code <= 0x24f && code !== 0xd7 && code !== 0xf7) ||
    (code >= 0x1e00 && code <= 0x1eff) ||
    (code >= 0x300 && code <= 0x36f)
  );
}

function isUpper(code: number): boolean {
  if (code < 128) return code <= 90;
  if (code < 0x100) return code <= 0xde;
  return code < 0x300 ? (code & 1) === 0 : code >= 0x1e00 && (code & 1) === 0;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 160;
}

function isSpace(code: number): boolean {
  return isBlank(code) || code === 10 || code === 13;
}

function isAsciiSign(code: number): boolean {
  return code < 128 && !isSpace(code) && !isAsciiLetter(code) && !isDigit(code);
}

/** True when only blanks stand between here and the next line break: they belong to the break. */
function endsInBreak(text: string, from: number): boolean {
  let index = from;
  while (index < text.length && isBlank(text.charCodeAt(index))) index += 1;
  return index < text.length && (text.charCodeAt(index) === 10 || text.charCodeAt(index) === 13);
}
