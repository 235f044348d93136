const NAMES = 'think|thinking|thought|thoughts|reasoning|reason|analysis|reflection|scratchpad|seed:think';
// Tags may hold attributes and stray spaces, as streams that were put together badly have them.
const OPEN = new RegExp(`<\\s*(?:${NAMES})(?:\\s[^<>]{0,200})?>`, 'gi');
const CLOSE = new RegExp(`<\\s*/\\s*(?:${NAMES})\\s*>`, 'gi');

/**
 * Takes a model's thinking aloud out of its reply. Pairs go with what is between them; everything up to a lone closing
 * tag was thinking; a lone opening tag means that the rest was, unless nothing stands before it.
 */
export function stripReasoning(text: string): string {
  const tags = [...find(text, OPEN, 'open'), ...find(text, CLOSE, 'close')].sort((a, b) => a.start - b.start);
  let kept = '';
  let from = 0;
  let depth = 0;
  for (const tag of tags) {
    if (tag.kind === 'open') {
      if (depth === 0) kept += text.slice(from, tag.start);
      depth += 1;
    } else if (depth === 0) kept = '';
    else depth -= 1;
    from = tag.end;
  }
  if (depth === 0) return kept + text.slice(from);
  return kept.trim() === '' ? text.slice(from) : kept;
}

function find(text: string, pattern: RegExp, kind: 'open' | 'close'): { kind: 'open' | 'close'; start: number; end: number }[] {
  return [...text.matchAll(pattern)].map((match) => ({ kind, start: match.index, end: match.index + match[0].length }));
}
