/** Stands where a fenced example was. */
export const FENCE = '\0fence';

const QUOTE = /^[ \t]*(?:>[ \t]?)+/;

/** The lines of a Markdown text without front matter, comments, fenced parts and the marks of quotes; line numbers stay. */
export function checklistLines(text: string): readonly string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/);
  const headerEnd = frontMatterEnd(lines);
  let fence: string | undefined;
  let inComment = false;
  return lines.map((line, index) => {
    if (index <= headerEnd) return '';
    if (fence !== undefined) {
      if (line.replace(QUOTE, '').trimStart().startsWith(fence)) fence = undefined;
      return '';
    }
    const { rest, open } = withoutComments(line, inComment);
    inComment = open;
    const body = rest.replace(QUOTE, '');
    const [, mark] = /^[ \t]*(?:[-*+][ \t]+)?(`{3,}|~{3,})[^`]*$/.exec(body) ?? [];
    if (mark === undefined) return body;
    // A fence or a comment that is never closed runs to the end, as in Markdown.
    fence = mark;
    return FENCE;
  });
}

function withoutComments(line: string, open: boolean): { readonly rest: string; readonly open: boolean } {
  let rest = '';
  let at = 0;
  for (let inside = open; ; inside = !inside) {
    const next = line.indexOf(inside ? '-->' : '<!--', at);
    if (!inside) rest += next === -1 ? line.slice(at) : line.slice(at, next);
    if (next === -1) return { rest, open: inside };
    at = next + (inside ? 3 : 4);
  }
}

function frontMatterEnd(lines: readonly string[]): number {
  if (!/^---[ \t]*$/.test(lines[0] ?? '')) return -1;
  return lines.findIndex((line, index) => index > 0 && /^---[ \t]*$/.test(line));
}

/** True for a line that titles what follows: a heading of either kind, the head of a table, the name of an example. */
export function isTitle(lines: readonly string[], index: number): boolean {
  const line = lines[index]?.trim() ?? '';
  // A word with the sign right before it, as in #home, is part of what is asked.
  if (isHeading(line)) return true;
  const next = lines[index + 1]?.trim() ?? '';
  if (line.includes('|') && isTableRule(next)) return true;
  if (/^(?:for )?(?:an? |the )?(?:examples?|e\.g|samples?|template|format)\b[^.!?]{0,40}$/i.test(line))
    return lines.slice(index + 1).find((one) => one.trim() !== '') === FENCE;
  return isUnderlined(line, next);
}

export const isHeading = (line: string): boolean => /^#{1,6}(?:\s|$)/.test(line.trim());

/** True for a line that ends the section before it though it is no heading: a title of another kind, or a rule. */
export function endsSection(lines: readonly string[], index: number): boolean {
  const line = lines[index]?.trimEnd() ?? '';
  if (/^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(\*\*|__)[^*_]+:?\1:?|\p{L}[^|]*:)$/u.test(line)) return true;
  return isUnderlined(line, lines[index + 1]?.trim() ?? '');
}

function isUnderlined(line: string, next: string): boolean {
  if (line === '' || /^(?:[-*+>]|\d+[.)])/.test(line)) return false;
  // A long line above a short rule is a task with a rule after it, whatever Markdown makes of it.
  return /^=+$/.test(next) || (/^-{2,}$/.test(next) && next.length * 2 >= line.length);
}

const isTableRule = (line: string): boolean => /^[\s|:-]+$/.test(line) && line.includes('|') && line.includes('-');
