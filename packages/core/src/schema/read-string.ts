// What each quote is closed by; in text that was typed, a curly one may stand on either side.
const CLOSING: { readonly [opening: string]: string } = { '"': '"', "'": "'", '“': '“”', '”': '“”', '‘': '‘’', '’': '‘’' };

/** True for each quote that may open a string in a reply. */
export function isQuote(char: string | undefined): boolean {
  return char !== undefined && Object.hasOwn(CLOSING, char);
}

/** The index of the next unescaped quote that may close the string opened at `start`; -1 when there is none. */
export function nextQuote(text: string, start: number, from = start + 1): number {
  const closing = CLOSING[text[start] ?? ''] ?? '';
  for (let at = from; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char === '\\') at += 1;
    else if (closing.includes(char)) return at;
  }
  return -1;
}

/**
 * The end of a string, behind its closing quote. A quote closes it only where the value goes on or ends: else it belongs
 * to the text, as in `"he said "hi" to me"`. Three of them, as Python has them, are closed by three.
 *
 * @returns `quotes`: how many stand at each end. `isSound` is false when quotes inside are left without a partner;
 * `undefined` when the string was cut off.
 */
export function readString(
  text: string,
  start: number,
): { readonly end: number; readonly quotes: 1 | 3; readonly isSound: boolean } | undefined {
  const three = text.startsWith('"""', start) ? text.indexOf('"""', start + 3) : -1;
  if (three !== -1 && isFollowedByValue(text, three + 3)) return { end: three + 3, quotes: 3, isSound: true };
  let inner = 0;
  for (let at = nextQuote(text, start); at !== -1; at = nextQuote(text, start, at + 1)) {
    if (isFollowedByValue(text, at + 1)) return { end: at + 1, quotes: 1, isSound: text[start] !== '"' || inner % 2 === 0 };
    inner += 1;
  }
  return undefined;
}

function isFollowedByValue(text: string, from: number): boolean {
  const at = skipBlank(text, from);
  const char = text[at];
  if (char === undefined || /[,:}\]]/.test(char)) return true;
  if (char === '/') return text[at + 1] === '/' || text[at + 1] === '*';
  // A comma may be missing at the end of a line.
  return (isQuote(char) || char === '{' || char === '[') && text.slice(from, at).includes('\n');
}

/** The index of the first character at or behind `from` that is not blank. */
export function skipBlank(text: string, from: number): number {
  const blank = /\s*/y;
  blank.lastIndex = from;
  return from + (blank.exec(text)?.[0].length ?? 0);
}
