/**
 * Whether a `HEARTBEAT.md` asks for nothing, so that a beat needs no model: absent, or only blank lines, headings,
 * rules, comments, fenced examples, empty list items, struck or ticked tasks.
 */
export function isEmptyChecklist(text: string | undefined): boolean {
  if (text === undefined) return true;
  const body = text
    .replace(/^\uFEFF/, '')
    .replace(/^---[ \t]*\r?\n[\s\S]*?^---[ \t]*(?:\r?\n|$)/m, (header, at: number) => (at === 0 ? '' : header))
    // A comment or a fence that is never closed runs to the end, as in Markdown.
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/^[ \t]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t]*\1[^\n]*$|(?![\s\S]))/gm, '');
  return body.split(/\r?\n/).every(saysNothing);
}

function saysNothing(line: string): boolean {
  const item = line.trim().replace(/^>[ \t]*/, '');
  if (/^#/.test(item) || /^[-*_=\s]*$/.test(item)) return true;
  const task = /^(?:[-*+]|\d+[.)])?[ \t]*(?:\[([ xX])\])?[ \t]*(.*)$/.exec(item);
  const [, tick, words = ''] = task ?? [];
  return tick === 'x' || tick === 'X' || /^~~.*~~$/.test(words) || !/[\p{L}\p{N}\p{S}]/u.test(words);
}
