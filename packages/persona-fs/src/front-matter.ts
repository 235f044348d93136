import { isMap, isScalar, parseAllDocuments } from 'yaml';
import type { PersonaProblem } from './problems.js';

/** Fields of a YAML text: a map with plain keys. */
export type Fields = { readonly [key: string]: unknown };

export interface SplitText {
  /** `{}` when there is no header, or none that can be read. */
  readonly header: Fields;
  /** What follows the header. An unreadable header stays in it, word for word: it grants nothing, and nothing is lost. */
  readonly body: string;
  readonly problem?: PersonaProblem | undefined;
}

const LONGEST_HEADER = 65_536;

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

/**
 * Reads YAML (or JSON, a part of it) as one map of plain values. Never throws; no tags, no anchors beyond a hundred,
 * no doubled keys.
 *
 * @param linesBefore - How many lines of the file stand before `source`.
 */
export function readYamlMap(
  file: string,
  source: string,
  code: PersonaProblem['code'],
  linesBefore = 0,
): { readonly fields?: Fields | undefined; readonly problem?: PersonaProblem | undefined } {
  const fail = (message: string, line?: number): { problem: PersonaProblem } => ({ problem: { code, file, message, line } });
  if (code === 'header_invalid' && source.length > LONGEST_HEADER) return fail('The header is longer than 64 KiB. Move text below it.');
  try {
    const parsed = parseAllDocuments(source, { uniqueKeys: true, logLevel: 'silent', prettyErrors: true, stringKeys: true });
    const [document, ...further] = Array.isArray(parsed) ? parsed : [];
    if (document === undefined) return { fields: {} };
    if (further.some(({ contents }) => contents !== null && !(isScalar(contents) && contents.value === null)))
      return fail('It holds several YAML documents. Keep one; until then it grants nothing.');
    const [error] = [...document.errors, ...document.warnings];
    if (error !== undefined) {
      const line = error.linePos?.[0].line;
      return fail(`Its YAML is broken (${error.code}). Correct it; until then it grants nothing.`, line && line + linesBefore);
    }
    if (document.contents === null) return { fields: {} };
    if (!isMap(document.contents)) return fail('It is not a map of names and values. Write `name: value` lines.');
    const fields = document.toJS({ maxAliasCount: 100 }) as Fields;
    // An alias inside its own anchor is a value without an end; written as JSON it throws.
    JSON.stringify(fields);
    return { fields };
  } catch {
    return fail('Its YAML cannot be read, or holds itself. Correct it; until then it grants nothing.');
  }
}
