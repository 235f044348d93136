/** Kinds of ASCII characters. */
export const LOWER = 1;
export const CAPITAL_LETTER = 2;
export const DIGIT = 3;
export const BLANK = 4;
export const LINE = 5;
export const PUNCTUATION = 6;
const CONTROL = 7;

/** The kind of each, by its code. */
export const KINDS: readonly number[] = Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return CAPITAL_LETTER;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code === 32 || code === 9) return BLANK;
  if (code === 10 || code === 13) return LINE;
  return code < 32 || code === 127 ? CONTROL : PUNCTUATION;
});

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 160;
}

export function isLine(code: number): boolean {
  return code === 10 || code === 13;
}

/** Latin letters with marks, Vietnamese ones included, and marks that stand alone. */
export function isLatin(code: number): boolean {
  return (
    (code >= 0xc0 && code <= 0x24f && code !== 0xd7 && code !== 0xf7) ||
    (code >= 0x1e00 && code <= 0x1eff) ||
    (code >= 0x300 && code <= 0x36f)
  );
}

/** Letters that Vietnamese alone has: whole syllables of it are in the vocabulary. */
export function isVietnamese(code: number): boolean {
  return (code >= 0x1ea0 && code <= 0x1ef9) || code === 0x1a1 || code === 0x1b0 || code === 0x111;
}

export function isCapital(code: number): boolean {
  if (code < 0x100) return code <= 0xde;
  return (code & 1) === 0 && (code < 0x300 || code >= 0x1e00);
}
