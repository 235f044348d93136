import { CJK, classOf, DIGIT, EMOJI, LETTER, MASK, OTHER, SPACE, wordEnd } from './char-class.js';
import type { ScannedWord } from './scan-word.js';

const FILE_ENDINGS: ReadonlySet<string> = new Set(
  'js ts tsx jsx mjs cjs py rb rs go java kt c h cc cpp hpp cs php swift sh json jsonl yaml yml toml ini cfg conf env md txt csv tsv sql html htm css scss xml svg png jpg jpeg gif pdf log lock zip gz tar exe dll so jar vue svelte com org net io dev local'.split(
    ' ',
  ),
);

/**
 * True where a word is part of an identifier, a path, an assignment or a file name, and so nobody's feeling.
 *
 * @param length - Of `lower`.
 */
export function isName(lower: string, length: number, start: number, { end, next: after, isCamelCase }: ScannedWord): boolean {
  const before = start > 0 ? lower.charCodeAt(start - 1) : 32;
  if (before === 64 || before === 36) return true; // @name, $name
  if (before === 47 || before === 92 || before === 95) return after !== 42 && (before !== 95 || after !== 95);
  if (after > 32 && after < 97) {
    const next = end + 1 < length ? classOf(lower.charCodeAt(end + 1)) : SPACE;
    if (after === 95) return next === LETTER || next === DIGIT; // snake_case
    if (after === 61) return next !== SPACE && next !== OTHER; // key=value
    if (after === 40) return end + 1 < length && lower.charCodeAt(end + 1) === 41; // call()
    if (after === 47) return next !== SPACE && isPath(lower, end);
    if (after === 46 && next === LETTER) {
      const stop = wordEnd(lower, end + 1);
      return FILE_ENDINGS.has(lower.slice(end + 1, stop)) || lower.charCodeAt(stop) === 40 || lower.charCodeAt(stop) === 46;
    }
  }
  if (before === 45 && start > 1 && lower.charCodeAt(start - 2) === 45) return true; // --flag
  return isCamelCase;
}

function isPath(lower: string, slash: number): boolean {
  const stop = chunkEnd(lower, slash);
  for (let at = slash + 1; at < stop; at += 1) {
    const code = lower.charCodeAt(at);
    if (code === 47 || code === 95 || (code === 46 && at + 1 < stop)) return true;
  }
  return false;
}

/** The end of what stands together without a space, less closing punctuation. */
export function chunkEnd(lower: string, from: number): number {
  const { length } = lower;
  let at = from;
  while (at < length) {
    const type = classOf(lower.charCodeAt(at));
    if (type === SPACE || type === CJK || type === EMOJI || type === MASK) break;
    at += 1;
  }
  while (at > from && /[.,;:!?)\]"']/.test(lower[at - 1] ?? '')) at -= 1;
  return Math.max(at, from);
}
