import { isQuote, nextQuote, skipBlank } from './read-string.js';

const SCALAR = '(?:-?\\d[\\d.eE+-]*|true|false|null|True|False|None)';
// Two items are looked at, since intervals such as [0, 1) are prose.
const SCALARS = `${SCALAR}\\s*(?:$|\\]|,\\s*(?:$|[\\]{["'“]|${SCALAR}\\s*(?:$|[,\\]])))`;

/**
 * Whether the bracket at `at` begins a JSON value, as far as its first key or items tell: `{braces}` and `[docs]` in prose
 * do not. A text that ends before anything speaks against it may have been one.
 *
 * @returns `next`: where to look on when it does not.
 */
export function startsJson(text: string, at: number): { readonly isJson: boolean; readonly next: number } {
  if (text[at] === '{') return { isJson: startsObject(text, at), next: at + 1 };
  let inside = at + 1;
  for (;;) {
    inside = skipBlank(text, inside);
    if (text[inside] !== '[') break;
    inside += 1;
  }
  const char = text[inside];
  if (char === undefined || char === ']' || isQuote(char)) return { isJson: true, next: inside };
  return { isJson: char === '{' ? startsObject(text, inside) : matchesAt(SCALARS, text, inside), next: inside };
}

// An object starts with a key and a colon, or ends at once.
function startsObject(text: string, at: number): boolean {
  const key = skipBlank(text, at + 1);
  const char = text[key];
  if (char === undefined || char === '}') return true;
  let end: number;
  if (isQuote(char)) {
    end = nextQuote(text, key) + 1;
    if (end === 0) return true;
  } else {
    const word = /[\w$-]+/y;
    word.lastIndex = key;
    end = key + (word.exec(text)?.[0].length ?? 0);
    if (end === key) return false;
  }
  const colon = text[skipBlank(text, end)];
  return colon === ':' || (colon === undefined && isQuote(char));
}

function matchesAt(source: string, text: string, at: number): boolean {
  const pattern = new RegExp(source, 'y');
  pattern.lastIndex = at;
  return pattern.test(text);
}
