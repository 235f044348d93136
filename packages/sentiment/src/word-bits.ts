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

/** What must follow a word for a phrase to begin with it: it begins none, a word that may follow, anything. */
export const FOLLOWS = { never: 0, pair: 1, always: 2 } as const;

const MARK_SHIFT = 8;
const FOLLOWS_SHIFT = 12;
const VALUE_SHIFT = 14;
const VALUE_BITS = 4;

/**
 * All that a lexicon says of a word in one number, so that one look tells all; 0 for words that are known only as parts
 * of phrases, which most are.
 *
 * @param value - -5 to 5.
 */
export function wordBits(value: number, roles: number, marks: number, follows: number): number {
  return roles | (marks << MARK_SHIFT) | (follows << FOLLOWS_SHIFT) | ((value & 15) << VALUE_SHIFT);
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

/** One of {@link FOLLOWS}. */
export function wordFollows(bits: number): number {
  return (bits >>> FOLLOWS_SHIFT) & 3;
}
