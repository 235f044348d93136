import { findSpans, type Span } from './find-spans.js';
import { withoutEscapes } from './frame-notes.js';
import { normalise } from './normalise.js';
import { readEntries, usesCrlf } from './notes.js';

/** What is asked of a notes file; texts are trimmed and not empty. */
export type NotesEdit =
  | { readonly action: 'add'; readonly text: string }
  | { readonly action: 'replace'; readonly text: string; readonly with: string }
  | { readonly action: 'remove'; readonly text: string };

export type EditPlan =
  /** `before` and `after` are the lines that differ; `line` counts the lines above them. */
  | { readonly outcome: 'changed'; readonly before: string; readonly after: string; readonly line?: number | undefined }
  /** The entry is there already. */
  | { readonly outcome: 'same' }
  /** Nothing matches; `near` are entries that share words with what was asked for. */
  | { readonly outcome: 'none'; readonly near: readonly string[] }
  /** More than one place matches; `candidates` are the lines, `count` all of them. */
  | { readonly outcome: 'many'; readonly count: number; readonly candidates: readonly string[] };

/** A plan that carries the whole new file. */
export type SpanPlan = Exclude<EditPlan, { outcome: 'changed' }> | (Extract<EditPlan, { outcome: 'changed' }> & { readonly text: string });

const SHOWN = 5;

/**
 * Works out what a replacement or a removal makes of a file, without touching it. Only the matched span changes.
 *
 * @returns For `changed` also `text`, the whole file after the edit.
 */
export function planEdit(file: string, asked: Change): SpanPlan {
  const found = findSpans(file, asked.text);
  // A model copies what it sees, and in its prompt headings of notes have a backslash.
  const edit = found.length > 0 ? asked : unescaped(asked);
  const spans = edit === asked ? found : findSpans(file, edit.text);
  const [span] = spans;
  if (span === undefined) return { outcome: 'none', near: nearEntries(file, edit.text) };
  if (spans.length > 1 && areCopies(file, spans, edit.text)) {
    const [last] = spans.slice(-1);
    const swapped = edit.action === 'remove' || last === undefined ? file : swap(file, last, edit.with);
    const text = (edit.action === 'remove' ? spans : spans.slice(0, -1)).reduceRight(cut, swapped);
    return { outcome: 'changed', text, ...difference(file, text) };
  }
  if (spans.length > 1) {
    return {
      outcome: 'many',
      count: spans.length,
      candidates: spans.slice(0, SHOWN).map(({ start }) => preview(linesAround(file, start, start).text)),
    };
  }
  const text = edit.action === 'remove' ? cut(file, span) : swap(file, span, edit.with);
  if (text === file) return { outcome: 'same' };
  return { outcome: 'changed', text, ...difference(file, text) };
}

type Change = Extract<NotesEdit, { action: 'replace' | 'remove' }>;

function unescaped(edit: Change): Change {
  const text = withoutEscapes(edit.text);
  if (text === edit.text) return edit;
  return edit.action === 'replace' ? { ...edit, text, with: withoutEscapes(edit.with) } : { ...edit, text };
}

/** Copies of one whole entry are one answer to what is meant: all of them go, or become one. */
const areCopies = (file: string, spans: readonly Span[], wanted: string): boolean =>
  /^\s*[-*+][ \t]/.test(wanted) && /\n\s*$/.test(wanted) && new Set(spans.map(({ start, end }) => file.slice(start, end))).size === 1;

function swap(file: string, { start, end }: Span, replacement: string): string {
  const inEntry = readEntries(file).some((entry) => entry.start <= start && start < entry.end);
  const eol = usesCrlf(file) ? '\r\n' : '\n';
  const text = replacement.replace(/^\s*[-*+][ \t]+/, '').trim();
  return `${file.slice(0, start)}${text.split(/\r?\n/).join(inEntry ? `${eol}  ` : eol)}${file.slice(end)}`;
}

/** Takes a span out and tidies the seam: doubled separators and blanks go, an entry of which nothing is left goes whole. */
function cut(file: string, { start, end }: Span): string {
  let left = file.slice(0, start);
  let right = file.slice(end);
  if (/(?:^|\n)\uFEFF?[-*+][ \t]+$/.test(left)) right = right.replace(/^[ \t;,:]+/, '');
  else if (/^[ \t]*(?:\r?\n|$)/.test(right)) left = left.replace(/(?<=[^\s;,])[ \t;,]+$/, '');
  if (/[;,][ \t]*$/.test(left) && /^[ \t]*[;,]/.test(right)) right = right.replace(/^[ \t]*[;,]/, '');
  if (/[ \t]$/.test(left)) right = right.replace(/^[ \t]+/, '');
  const line = linesAround(left + right, left.length, left.length);
  if (/^\uFEFF?[-*+][ \t]*$/.test(line.text) && /^(?: {2}|\t)\S/.test(right.replace(/^\r?\n/, ''))) {
    return left + right.replace(/^\r?\n(?: {2}|\t)/, '');
  }
  if (!/^\uFEFF?(?:[-*+]|\d{1,9}[.)])?(?:[ \t]*\[[ xX]\])?[ \t.!?;,:-]*$/.test(line.text)) return left + right;
  const mark = line.text.startsWith('\uFEFF') ? '\uFEFF' : '';
  return mark + (left + right).slice(0, line.start).replace(mark, '') + (left + right).slice(line.end);
}

/** The whole lines that a span touches; `end` is after the last one's break, which `text` leaves out. */
function linesAround(file: string, start: number, end: number): Span & { readonly text: string } {
  // A search from before the first character would look at it all the same.
  const from = start === 0 ? 0 : file.lastIndexOf('\n', start - 1) + 1;
  const at = file.indexOf('\n', end);
  const to = at === -1 ? file.length : at + 1;
  return { start: from, end: to, text: file.slice(from, at === -1 ? to : at).replace(/\r$/, '') };
}

/** The whole lines in which two texts differ, and how many lines stand above them. */
export function difference(old: string, young: string): { readonly before: string; readonly after: string; readonly line: number } {
  const [was, is] = [old.split(/(?<=\n)/), young.split(/(?<=\n)/)];
  let head = 0;
  while (head < was.length && was[head] === is[head]) head += 1;
  let tail = 0;
  while (tail < was.length - head && tail < is.length - head && was.at(-1 - tail) === is.at(-1 - tail)) tail += 1;
  const middle = (lines: readonly string[]): string => lines.slice(head, lines.length - tail).join('');
  return { before: middle(was), after: middle(is), line: head };
}

function nearEntries(file: string, wanted: string): readonly string[] {
  const words = wordsOf(wanted);
  return readEntries(file)
    .map((entry) => ({ entry, shared: [...wordsOf(entry.text)].filter((word) => words.has(word)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, 3)
    .map(({ entry }) => preview(entry.text));
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    normalise(text, { fold: true })
      .text.split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 3),
  );

/** The first 80 characters of a text, on one line. */
export function preview(text: string): string {
  const characters = [...text.slice(0, 400).replace(/\s+/g, ' ').trim()];
  return characters.length > 80 ? `${characters.slice(0, 79).join('')}…` : characters.join('');
}
