import { isMap, parseDocument } from 'yaml';
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

/** Splits `---` front matter from a text; accepts a byte order mark, any line breaks and trailing blanks on the fences. */
export function splitFrontMatter(file: string, text: string): SplitText {
  const clean = text.replace(/^\uFEFF/, '');
  const open = /^---[ \t]*\r?\n/.exec(clean);
  if (open === null) return { header: {}, body: clean };
  const close = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m.exec(clean.slice(open[0].length));
  // A rule line opens many Markdown texts: without a second one it is not a header.
  if (close === null) return { header: {}, body: clean };
  const source = clean.slice(open[0].length, open[0].length + close.index);
  const body = clean.slice(open[0].length + close.index + close[0].length);
  const { fields, problem } = readYamlMap(file, source, 'header_invalid', 1);
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
    const document = parseDocument(source, { uniqueKeys: true, logLevel: 'silent', prettyErrors: true, stringKeys: true });
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
