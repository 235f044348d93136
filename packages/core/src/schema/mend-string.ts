const ESCAPE = /\\(u[0-9a-fA-F]{4}|["\\/bfnrt'\n])?/g;
// A path of Windows: in one that holds a bad escape, no backslash was meant as an escape.
const PATH = /(?<![A-Za-z])[A-Za-z]:\\(?:[^\s"'\\]|\\(?!["'])| (?=[\w().-]+\\))+/g;

/**
 * The body of a string as JSON has it: `\users` keeps its backslash, `\'` is an apostrophe, and raw line breaks and
 * quotes are escaped. What is escaped well stays as it is.
 */
export function mendString(body: string): string {
  const isBad = hasBadEscape(body);
  const literal = isBad ? body.replace(PATH, (path) => (hasBadEscape(path) ? path.replace(/\\\\?/g, '\\\\') : path)) : body;
  return literal.replace(/\\(u[0-9a-fA-F]{4}|["\\/bfnrt'\n])?|["\p{Cc}]/gu, (whole, tail: string | undefined) => {
    if (whole === '\\') return '\\\\';
    if (tail === "'") return "'";
    if (tail === '\n') return '\\n';
    // Next to an escape that JSON does not know, such as the `\d` of a pattern, these are no control characters.
    if (isBad && (tail === 'b' || tail === 'f')) return `\\${whole}`;
    return tail === undefined ? JSON.stringify(whole).slice(1, -1) : whole;
  });
}

function hasBadEscape(text: string): boolean {
  return [...text.matchAll(ESCAPE)].some((match) => match[1] === undefined);
}
