/** A text as it is compared, with the way back. */
export interface Normalised {
  readonly text: string;
  /** The bounds of what became the character at `index`, in the source; `undefined` outside the text. */
  locate(index: number): { readonly start: number; readonly end: number } | undefined;
}

interface Piece {
  /** Where it stands in the normalised text, and where in the source. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
  /** True when each of its characters stands for itself. */
  readonly plain: boolean;
}

// Zero-width characters and the soft hyphen are dropped; any run of blank space is one space.
// Runs of plain letters come first, so that a long file costs one step for each word.
const PIECES = /([!-~]+)(?!\p{M})|([\u00AD\u200B-\u200D\u2060\uFEFF]+)|(\s+)|[\s\S]\p{M}*/gu;

/**
 * Makes differences that nobody sees disappear, for comparing only: composed and decomposed letters (NFC), blank
 * space, zero-width characters; with `fold` also letter case.
 */
export function normalise(source: string, { fold = false }: { readonly fold?: boolean | undefined } = {}): Normalised {
  const texts: string[] = [];
  const pieces: Piece[] = [];
  let length = 0;
  for (const match of source.matchAll(PIECES)) {
    const [whole, plain, hidden, blank] = match;
    if (hidden !== undefined) continue;
    const composed = plain ?? (blank === undefined ? whole.normalize('NFC') : ' ');
    const text = fold ? composed.toLowerCase() : composed;
    pieces.push({ at: length, start: match.index, end: match.index + whole.length, plain: plain !== undefined });
    texts.push(text);
    length += text.length;
  }
  return { text: texts.join(''), locate: (index) => locate(pieces, index, length) };
}

function locate(pieces: readonly Piece[], index: number, length: number): { readonly start: number; readonly end: number } | undefined {
  if (index < 0 || index >= length) return undefined;
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (pieces[middle]!.at <= index) low = middle;
    else high = middle - 1;
  }
  const { at, start, end, plain } = pieces[low]!;
  return plain ? { start: start + index - at, end: start + index - at + 1 } : { start, end };
}

/** What two entries have in common when they say the same: normalised, without case and closing punctuation. */
export function entryKey(entry: string): string {
  return normalise(entry, { fold: true })
    .text.trim()
    .replace(/[\s.!;,]+$/u, '');
}
