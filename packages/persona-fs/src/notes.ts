/** One entry of a notes file: a list item in the first column, with the lines that belong to it. */
export interface Entry {
  /** What it says, without marker and indentation. */
  readonly text: string;
  /** Where its lines start and end in the file's text; the end is after its last line break. */
  readonly start: number;
  readonly end: number;
}

const MARKER = /^[-*+][ \t]/;
const INDENT = /^(?: {2}|\t)/;

/** The entries of a notes file, in order; other lines are prose and belong to none. */
export function readEntries(text: string): readonly Entry[] {
  const crlf = isAllCrlf(text);
  const entries: { lines: string[]; start: number; end: number }[] = [];
  let open: { lines: string[]; start: number; end: number } | undefined;
  let blanks = 0;
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  while (start < text.length) {
    const { line, next } = lineAt(text, start, crlf);
    if (MARKER.test(line)) {
      open = { lines: [line.slice(2)], start, end: next };
      entries.push(open);
      blanks = 0;
    } else if (line === '') {
      // Part of the entry only when an indented line follows.
      blanks += 1;
    } else if (open !== undefined && INDENT.test(line)) {
      open.lines.push(...Array<string>(blanks).fill(''), line.replace(INDENT, ''));
      open.end = next;
      blanks = 0;
    } else open = undefined;
    start = next;
  }
  return entries.map(({ lines, start: from, end }) => ({ text: lines.join('\n'), start: from, end }));
}

/** An entry's lines, ready to be put into a file; {@link readEntries} gives `text` back, whatever is in it, if it does not end in blank space. */
export function encodeEntry(text: string, { marker = '-', eol = '\n' }: { readonly marker?: string; readonly eol?: string } = {}): string {
  return `${marker} ${text.split('\n').join(`${eol}  `)}${eol}`;
}

/** The file with one more entry at its end, in the file's own style; the rest stays byte for byte, blank end lines apart. */
export function appendEntries(text: string, entries: readonly string[]): string {
  const style = styleOf(text);
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const base = trimEnd(text.slice(mark.length));
  const added = entries.map((entry) => encodeEntry(entry, style)).join('');
  return `${mark}${base}${base === '' ? '' : style.eol}${added}`;
}

/** How a file writes its entries: the first list marker in it, and the line break that most lines have. */
export const styleOf = (text: string): { readonly marker: string; readonly eol: string } => ({
  marker: /^\uFEFF?([-*+])[ \t]/m.exec(text)?.[1] ?? '-',
  eol: usesCrlf(text) ? '\r\n' : '\n',
});

/** True when most lines end in carriage return and line feed. */
export function usesCrlf(text: string): boolean {
  if (!text.includes('\r\n')) return false;
  const breaks = text.split('\n').length - 1;
  return breaks > 0 && (text.split('\r\n').length - 1) * 2 > breaks;
}

// One lone line feed is enough to show that a carriage return belongs to the text and not to the style.
const isAllCrlf = (text: string): boolean => text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text);

function lineAt(text: string, start: number, crlf: boolean): { readonly line: string; readonly next: number } {
  const at = text.indexOf('\n', start);
  const end = at === -1 ? text.length : at;
  const line = text.slice(start, end);
  return { line: crlf && at !== -1 && line.endsWith('\r') ? line.slice(0, -1) : line, next: at === -1 ? text.length : at + 1 };
}

function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && ' \t\r\n'.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}
