import { once } from './once.js';

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

// Two or three letters that Unicode composes into one syllable of Hangul though none of them is a mark.
const SYLLABLE = '[\\u1100-\\u1112][\\u1161-\\u1175][\\u11A8-\\u11C2]?|[\\uAC00-\\uD7A3][\\u11A8-\\u11C2]?';
// What folding makes one letter of: a narrow letter of kana with its mark, and the two or three hyphens that stand for a dash.
// Hyphens that begin a word are part of it: --all is no -all.
const JOINED = '[\\uFF66-\\uFF9D][\\uFF9E\\uFF9F]?|(?<=[\\p{L}\\p{N}])-{2,}|(?<!-)-{2,}(?=\\s|$)';
// What Unicode calls default ignorable (\p{DI}: zero-width, direction, variation, soft hyphen) is dropped; any run of
// blank space is one space. Runs of plain letters come first, so that a long file costs one step for each word.
const pieces = (plain: string, joined: string): RegExp =>
  new RegExp(`(${plain}+)(?!\\p{DI}*\\p{M})|(\\p{DI}+)|(\\s[\\s\\p{DI}]*)|(?:${joined}|[\\s\\S])(?:\\p{DI}*\\p{M})*`, 'gu');
const piecesOf = once(() => pieces('[!-~]', SYLLABLE));
const foldedPiecesOf = once(() => pieces('(?:[!-,.-~]|-(?!-))', `${SYLLABLE}|${JOINED}`));

/**
 * Makes differences that nobody sees disappear, for comparing only: composed and decomposed letters (NFC), blank
 * space, characters without a shape; with `fold` also letter case, the form of quotation marks, dashes and dots, the width of
 * letters and whether they are joined.
 */
export function normalise(source: string, { fold = false }: { readonly fold?: boolean | undefined } = {}): Normalised {
  const texts: string[] = [];
  const pieces: Piece[] = [];
  let length = 0;
  for (const match of source.matchAll(fold ? foldedPiecesOf() : piecesOf())) {
    const [whole, plain, hidden, blank] = match;
    if (hidden !== undefined) continue;
    const composed = plain ?? (blank === undefined ? whole.replace(/\p{DI}/gu, '').normalize('NFC') : ' ');
    const text = !fold ? composed : plain === undefined ? folded(composed) : composed.toLowerCase();
    pieces.push({ at: length, start: match.index, end: match.index + whole.length, plain: plain !== undefined });
    texts.push(text);
    length += text.length;
  }
  return { text: texts.join(''), locate: (index) => locate(pieces, index, length) };
}

const folded = (text: string): string =>
  text
    .replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    // Compatible forms of others are other words: a square is no 2.
    .replace(/[\uFB00-\uFB06\uFF66-\uFF9F]+/g, (form) => form.normalize('NFKC'))
    .toLowerCase()
    // The capital with a dot, made small.
    .replace('i\u0307', 'i')
    .replace(/[‘’‚‛‹›′]/g, "'")
    .replace(/[“”„‟«»″]/g, '"')
    .replace('…', '...')
    .replace(/[\u2010-\u2015\u2212]|^-{2,3}$/g, '-');

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
