import { mapResults, resultTexts } from './dialect.js';
import { cutBefore, wellFormed } from './well-formed.js';

/** Share of what is kept that comes from the beginning; the rest comes from the end, where errors and totals stand. */
const HEAD_SHARE = 0.6;

/**
 * Shortens a text to its beginning and its end, with a mark between that says how much is gone and names what was found
 * in the gap. Cuts between code points.
 *
 * @param maxTokens - At most this many by `countText`; a text that fits is returned as it is.
 * @param lift - Literals worth keeping from what is left out.
 */
export function shortenText(
  text: string,
  maxTokens: number,
  countText: (text: string) => number,
  lift: (gap: string) => readonly string[] = () => [],
): string {
  const tokens = countText(text);
  if (tokens <= maxTokens) return text;
  let keep = Math.floor((text.length * maxTokens) / tokens);
  let literals: readonly string[] | undefined;
  for (let tries = 0; tries < 12; tries += 1) {
    const head = cutBefore(text, Math.floor(keep * HEAD_SHARE));
    const tail = cutBefore(text, text.length - Math.floor(keep * (1 - HEAD_SHARE)));
    const gap = text.slice(head, tail);
    literals = tries < 6 ? lift(gap).filter((literal) => literal.length < 80) : [];
    let named = literals.length;
    for (;;) {
      const shortened = wellFormed(`${text.slice(0, head)}${mark(gap.length, literals.slice(0, named))}${text.slice(tail)}`);
      if (countText(shortened) <= maxTokens) return shortened;
      if (named === 0) break;
      named = Math.floor(named / 2);
    }
    keep = Math.floor(keep * 0.7) - 4;
    if (keep <= 0) break;
  }
  return `[${text.length} characters left out]`;
}

function mark(characters: number, literals: readonly string[]): string {
  return `\n[… ${characters} characters left out${literals.length > 0 ? `, with ${literals.join(', ')}` : ''} …]\n`;
}

const PASSES = 4;

/**
 * Shortens the tool results of a message until the whole of it is at most `maxTokens`, as far as its results allow.
 *
 * @returns The message itself when it fits or has no results.
 */
export function shortenResults<M extends object>(
  message: M,
  maxTokens: number,
  count: { readonly message: (message: object) => number; readonly text: (text: string) => number },
  lift?: (gap: string) => readonly string[],
): M {
  const before = count.message(message);
  const sizes = resultTexts(message).map(count.text);
  const inResults = sizes.reduce((sum, size) => sum + size, 0);
  if (before <= maxTokens || inResults === 0) return message;
  const beside = Math.max(0, before - inResults);
  const left = Math.max(0, maxTokens - beside);
  let level = left / sizes.length;
  // What the small ones do not need goes to the large ones.
  for (let round = 0; round < 8; round += 1) {
    const large = sizes.filter((size) => size > level);
    if (large.length === 0) break;
    const next = (left - sizes.reduce((sum, size) => sum + (size > level ? 0 : size), 0)) / large.length;
    if (next <= level) break;
    level = next;
  }
  for (let tries = 1; ; tries += 1) {
    const shortened = mapResults(message, (text) => shortenText(text, Math.max(1, Math.floor(level)), count.text, lift));
    const size = count.message(shortened);
    if (size <= maxTokens || tries >= PASSES || level < 1) return shortened;
    // Inside the message a text may count more than alone, as signs that JSON escapes do.
    level *= (0.98 * left) / Math.max(1, size - beside);
  }
}
