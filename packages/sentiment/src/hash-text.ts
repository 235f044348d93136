/** FNV's, for 32 bits. */
export const PRIME = 0x01000193;
const BASIS = 0x811c9dc5 | 0;

/** The beginning of a longer word stands for its stem. */
export const STEM_LENGTH = 4;
const STEM_SEED = 21;

/** What a hash begins with; another seed, another hash of the same text. */
export function hashStart(seed: number): number {
  return BASIS ^ Math.imul(seed + 1, 0x9e3779b1);
}

/** What the hash of a word's beginning begins with. */
export const STEM_START: number = /* @__PURE__ */ hashStart(STEM_SEED);

/** The hash with one character more. */
export function hashNext(hash: number, code: number): number {
  return Math.imul(hash ^ code, PRIME);
}

/** FNV-1a over the UTF-16 units before `end`. */
export function hashOf(text: string, seed: number, end: number = text.length): number {
  let hash = hashStart(seed);
  for (let at = 0; at < end; at += 1) hash = hashNext(hash, text.charCodeAt(at));
  return hash;
}

/** The hash of the first {@link STEM_LENGTH} characters, or of all where there are fewer. */
export function stemHash(word: string): number {
  return hashOf(word, STEM_SEED, Math.min(word.length, STEM_LENGTH));
}
