import { type Normalised, normalise } from './normalise.js';
import { type Entry, readEntries } from './notes.js';
import { once } from './once.js';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Every place where `wanted` stands, compared as {@link normalise} does; letter case counts unless nothing matches
 * otherwise. A leading list marker ties it to the start of an entry, a closing line break to the end of a line. No
 * place reaches from one entry into another or takes in its marker: an edit of it would join what was apart.
 */
export function findSpans(file: string, wanted: string): readonly Span[] {
  if (namesNothing(wanted)) return [];
  const anchoredStart = /^\s*[-*+][ \t]/.test(wanted);
  const anchoredEnd = /\n\s*$/.test(wanted);
  const bare = anchoredStart ? wanted.replace(/^\s*[-*+][ \t]+/, '') : wanted;
  const entries = readEntries(file);
  const fitsEnd = ({ end }: Span): boolean => !anchoredEnd || /^[ \t]*\r?(?:\n|$)/.test(file.slice(end, end + 64));
  const fitsStart = ({ start }: Span): boolean =>
    !anchoredStart || /(?:^|\n)\uFEFF?[-*+][ \t]+$/.test(file.slice(Math.max(0, start - 64), start));
  const isWhole = (span: Span): boolean => staysInside(span, entries) && (/\n/.test(wanted.trim()) || !crossesBlocks(file, span));
  for (const fold of [false, true]) {
    const spans = occurrences(file, normalise(file, { fold }), bare, fold).filter(
      (span) => fitsStart(span) && fitsEnd(span) && isWhole(span),
    );
    if (spans.length > 0) return spans;
  }
  if (!anchoredStart) return [];
  // The sign may also stand in the middle of a line, or begin a list within an entry.
  return occurrences(file, normalise(file), wanted, false).filter((span) => fitsEnd(span) && isWhole(span));
}

/** True when a text holds nothing but blank space, signs that nobody sees and markers of lists, quotes and headings. */
export const namesNothing = (text: string): boolean => /^(?:(?:[-*+>]|#{1,6})(?:\s+|$))*$/.test(normalise(text).text.trim());

/** True when a span lies within one entry, after its marker, or touches none. */
function staysInside({ start, end }: Span, entries: readonly Entry[]): boolean {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.start < end) low = middle + 1;
    else high = middle;
  }
  const last = entries[low - 1];
  return last === undefined || last.end <= start || (start > last.start && end <= last.end);
}

/** True when a blank line, a heading or the marker of a list lies within a span: then its words stood apart. */
function crossesBlocks(file: string, { start, end }: Span): boolean {
  const lines = file.slice(start, end);
  if (!lines.includes('\n')) return false;
  if (/\n[ \t]*(?:\r?\n|(?:[-*+>]|#{1,6}|\d{1,9}[.)])[ \t])/.test(lines)) return true;
  return /^\uFEFF? {0,3}#{1,6}[ \t]/.test(file.slice(file.lastIndexOf('\n', start - 1) + 1, start));
}

function occurrences(file: string, haystack: Normalised, wanted: string, fold: boolean): readonly Span[] {
  const needle = normalise(wanted, { fold }).text.trim();
  const spans: Span[] = [];
  if (needle === '') return spans;
  for (let at = haystack.text.indexOf(needle); at !== -1; at = haystack.text.indexOf(needle, at + 1)) {
    const { start } = haystack.locate(at)!;
    const { end } = haystack.locate(at + needle.length - 1)!;
    // A match must not begin or end inside what was one character: its neighbours would come from the same place.
    if (haystack.locate(at - 1)?.start === start || haystack.locate(at + needle.length)?.end === end) continue;
    spans.push(withUnseen(file, start, end));
  }
  return spans;
}

// Joiners stay: they shape the letters beside them.
const UNSEEN = '(?:(?![\u200C\u200D])\\p{DI})+';
const unseenBefore = once(() => new RegExp(`${UNSEEN}$`, 'u'));
const unseenAfter = once(() => new RegExp(`^${UNSEEN}`, 'u'));

/** The span with the signs that nobody sees at its ends, such as the two that enclose a run of the other direction. */
function withUnseen(file: string, start: number, end: number): Span {
  const before = unseenBefore().exec(file.slice(Math.max(0, start - 16), start))?.[0].length ?? 0;
  const after = unseenAfter().exec(file.slice(end, end + 16))?.[0].length ?? 0;
  // A byte order mark belongs to the file.
  return { start: start === before && file.startsWith('\uFEFF') ? 1 : start - before, end: end + after };
}
