/** A text as it is compared, with the way back: `starts[i]` and `ends[i]` bound what became its character `i`. */
export interface Normalised {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

// Zero-width characters and the soft hyphen are dropped; any run of blank space is one space.
const PIECES = /([\u00AD\u200B-\u200D\u2060\uFEFF]+)|(\s+)|([\s\S]\p{M}*)/gu;

/**
 * Makes differences that nobody sees disappear, for comparing only: composed and decomposed letters (NFC), blank
 * space, zero-width characters; with `fold` also letter case.
 */
export function normalise(source: string, { fold = false }: { readonly fold?: boolean | undefined } = {}): Normalised {
  let text = '';
  const starts: number[] = [];
  const ends: number[] = [];
  for (const match of source.matchAll(PIECES)) {
    const [whole, hidden, blank] = match;
    if (hidden !== undefined) continue;
    const composed = blank === undefined ? whole.normalize('NFC') : ' ';
    const piece = fold ? composed.toLowerCase() : composed;
    text += piece;
    for (let index = 0; index < piece.length; index += 1) {
      starts.push(match.index);
      ends.push(match.index + whole.length);
    }
  }
  return { text, starts, ends };
}

/** What two entries have in common when they say the same: normalised, without case and closing punctuation. */
export function entryKey(entry: string): string {
  return normalise(entry, { fold: true })
    .text.trim()
    .replace(/[\s.!;,]+$/u, '');
}
