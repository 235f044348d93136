import { isMap, isScalar, parseAllDocuments, type YAMLMap } from 'yaml';
import type { PersonaProblem } from './problems.js';

/** Fields of a YAML text: a map with plain keys. */
export type Fields = { readonly [key: string]: unknown };

const LONGEST_HEADER = 65_536;

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
    const values = document.toJS({ maxAliasCount: 100 }) as Fields;
    const fields = code === 'header_invalid' ? { ...values, ...numbersAsWritten(document.contents) } : values;
    // An alias inside its own anchor is a value without an end; written as JSON it throws.
    JSON.stringify(fields);
    return { fields };
  } catch {
    return fail('Its YAML cannot be read, or holds itself. Correct it; until then it grants nothing.');
  }
}

/** The fields of a header are texts, and as a number `007` would be 7, and 1.10 be 1.1. */
const numbersAsWritten = ({ items }: YAMLMap): Fields =>
  Object.fromEntries(
    items.flatMap(({ key, value }) =>
      isScalar(key) && isScalar(value) && typeof value.value === 'number' && value.source !== undefined
        ? [[String(key.value), value.source]]
        : [],
    ),
  );
