/** What a word does in its language, as bits. */
export const ROLE = {
  negator: 1,
  booster: 2,
  damper: 4,
  filler: 8,
  contrast: 16,
  second: 32,
  third: 64,
  request: 128,
} as const;

const MARK_SHIFT = 8;
const BEGINS = 1 << 12;
const VALUE_SHIFT = 13;
const VALUE_BITS = 4;

/**
 * All that a lexicon says of a word in one number, so that one look tells all; 0 for words that are known only as parts
 * of phrases, which most are.
 *
 * @param value - -5 to 5.
 * @param begins - Whether phrases begin with it.
 */
export function wordBits(value: number, roles: number, marks: number, begins: boolean): number {
  return roles | (marks << MARK_SHIFT) | (begins ? BEGINS : 0) | ((value & 15) << VALUE_SHIFT);
}

/** -5 to 5, AFINN's scale; 0 where the word has no value. */
export function wordValue(bits: number): number {
  const rest = 32 - VALUE_SHIFT - VALUE_BITS;
  return (bits << rest) >> (rest + VALUE_SHIFT);
}

/** Bits of {@link ROLE}. */
export function wordRoles(bits: number): number {
  return bits & 255;
}

/** Marks, as `markBit` gives them. Those of several words stand with the phrases. */
export function wordMarks(bits: number): number {
  return (bits >>> MARK_SHIFT) & 15;
}

/** Whether phrases begin with it. */
export function wordBegins(bits: number): boolean {
  return (bits & BEGINS) !== 0;
}
