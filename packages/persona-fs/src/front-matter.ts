import type { PersonaProblem } from './problems.js';
import { type Fields, readYamlMap } from './read-yaml-map.js';

export interface SplitText {
  /** `{}` when there is no header, or none that can be read. */
  readonly header: Fields;
  /** What follows the header. An unreadable header stays in it, word for word: it grants nothing, and nothing is lost. */
  readonly body: string;
  readonly problem?: PersonaProblem | undefined;
}

// Blank lines before it and up to three blanks, as Markdown allows for a rule.
const OPENING = /^(?:[ \t]*\r?\n)*( {0,3})---[ \t]*\r?\n/;
// Notes, then `name:`, as no text that only begins with a rule goes on.
const LIKE_FIELDS = /^(?:[ \t]*#.*\r?\n)*[ \t]*[A-Za-z_][\w-]*[ \t]*:(?:[ \t]|\r?\n|$)/;

/**
 * Splits `---` front matter from a text; accepts a byte order mark, blank lines before it, any line breaks, blanks
 * around the fences. A text whose lines end in a lone carriage return comes back with line feeds.
 */
export function splitFrontMatter(file: string, text: string): SplitText {
  const marked = text.replace(/^\uFEFF/, '');
  const clean = marked.includes('\n') ? marked : marked.replace(/\r/g, '\n');
  const open = OPENING.exec(clean);
  if (open === null) return { header: {}, body: clean };
  const [before, indent = ''] = open;
  const rest = clean.slice(before.length);
  const linesBefore = before.split('\n').length - 1;
  // A fence that is moved in further than the first one stands inside a value.
  const close = new RegExp(`^ {0,${indent.length}}(?:---|\\.\\.\\.)[ \\t]*(?:\\r?\\n|$)`, 'm').exec(rest);
  if (close === null) {
    if (!LIKE_FIELDS.test(rest)) return { header: {}, body: clean };
    const message = 'It begins like a header, but no line `---` ends it. Add that line; until then it grants nothing.';
    return { header: {}, body: clean, problem: { code: 'header_unclosed', file, message, line: linesBefore } };
  }
  const body = rest.slice(close.index + close[0].length);
  const { fields, problem } = readYamlMap(file, rest.slice(0, close.index), 'header_invalid', linesBefore);
  return fields === undefined ? { header: {}, body: clean, problem } : { header: fields, body };
}
