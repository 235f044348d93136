import { COUNTS, DAYS, MONTHS, NO_NAME, NUMBERED, TIMES, UNITS } from './literal-words.js';
import { type Token, tokensOf } from './tokens.js';

/** A piece of text that means nothing unless it is kept character by character: a number, a name, a path. */
export interface Literal {
  readonly start: number;
  readonly end: number;
  /** False for what is often noise: a small number, a single capitalised word. */
  readonly strong: boolean;
}

const EXTENSION = /\.(?:[a-z]{1,5}|mp[34]|7z)$/i;
const CLOSERS: { readonly [opener: string]: string } = { '"': '"', '“': '”', '«': '»', '„': '“', '「': '」', "'": "'", '`': '`', '‘': '’' };
const LONGEST_QUOTE = 80;

/**
 * Finds literals in one sentence, in order, without overlaps.
 *
 * @param from - Where the sentence starts in `text`; its first word is no name for being capitalised.
 */
export function findLiterals(text: string, from = 0, to = text.length): readonly Literal[] {
  const found: Literal[] = [];
  const tokens = tokensOf(text, from, to);
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]!;
    const { start, end } = token;
    const quoteEnd = endOfQuote(text, start, from, to);
    if (quoteEnd > 0) {
      found.push({ start, end: quoteEnd, strong: true });
      while (index + 1 < tokens.length && tokens[index + 1]!.start < quoteEnd) index += 1;
    } else if (token.digits > 0) {
      index = addNumber(text, tokens, index, found);
    } else if (token.signs && isSigned(text.slice(start, end))) {
      found.push({ start, end: trimmedEnd(text, start, end), strong: true });
    } else if (token.capitals > 0) {
      index = addName(text, tokens, index, found);
    } else if (isCount(text, tokens, index)) {
      const first = index;
      while (index + 1 < tokens.length && !TIMES.has(bare(text, tokens[index]!))) index += 1;
      found.push({ start: tokens[first]!.start, end: trimmedEnd(text, start, tokens[index]!.end), strong: true });
    } else if (end - start > 4 && end - start < 12 && DAYS.has(bare(text, token))) {
      found.push({ start, end: trimmedEnd(text, start, end), strong: true });
    }
  }
  return found;
}

/** A number with what belongs to it: "14 March 2031", "$ 5", "7:30 pm", "(555) 010-9999", "6821 1st Ave". Returns the last token taken. */
function addNumber(text: string, tokens: readonly Token[], at: number, found: Literal[]): number {
  const token = tokens[at]!;
  const previous = tokens[at - 1];
  const takesPrevious =
    previous !== undefined && previous.digits === 0 && previous.start >= (found.at(-1)?.end ?? 0) && leadsNumber(text, previous);
  const start = takesPrevious ? previous.start : token.start;
  let strong = takesPrevious || isStrongNumber(text, token);
  let index = at;
  for (let steps = 0; steps < 3; steps += 1) {
    const last = tokens[index]!;
    const next = tokens[index + 1];
    if (next === undefined || (text[last.end - 1] !== ')' && endsClause(text.charCodeAt(last.end - 1)))) break;
    const isNumber = next.digits > 0 && (next.letters === 0 || next.digits + 2 >= next.end - next.start);
    const goesOn = isNumber
      ? isMonth(text, last) || endsInDigit(text, last)
      : next.digits === 0 && (UNITS.has(bare(text, next)) || isMonth(text, next));
    if (!goesOn) break;
    index += 1;
    strong = true;
  }
  found.push({ start, end: trimmedEnd(text, start, tokens[index]!.end), strong });
  return index;
}

/** Capitalised words, acronyms, months and days, camelCase. Returns the last token taken. */
function addName(text: string, tokens: readonly Token[], at: number, found: Literal[]): number {
  const { start, end: full, capitals, letters, capitalFirst } = tokens[at]!;
  const end = trimmedEnd(text, start, full);
  if (letters < 2) return at;
  if (capitals === letters) {
    if (letters < 12) found.push({ start, end, strong: false });
    return at;
  }
  if (!capitalFirst || capitals > 1) {
    if (/[a-z][A-Z]/.test(text.slice(start, end))) found.push({ start, end, strong: true });
    return at;
  }
  if (DAYS.has(bare(text, tokens[at]!)) || isMonth(text, tokens[at]!)) {
    // "March 3" is taken by the number; a lone "May" or "March" may be anything.
    if (tokens[at + 1] === undefined || tokens[at + 1]!.digits === 0) found.push({ start, end, strong: letters > 3 && at > 0 });
    return at;
  }
  if (at === 0 || NO_NAME.has(text.slice(start, end))) return at;
  let index = at;
  let last = end;
  while (index + 1 < tokens.length && last === tokens[index]!.end) {
    const next = tokens[index + 1]!;
    if (!next.capitalFirst || next.digits > 0 || next.signs) break;
    last = trimmedEnd(text, next.start, next.end);
    index += 1;
  }
  found.push({ start, end: last, strong: index > at });
  return index;
}

/** "two weeks", "half an hour", "a couple of days", "a week": a number word or an article, and a measure of time near it. */
function isCount(text: string, tokens: readonly Token[], at: number): boolean {
  const { start, end } = tokens[at]!;
  if (end - start > 8 || !COUNTS.has(bare(text, tokens[at]!))) return false;
  for (let index = at + 1; index < tokens.length && index <= at + 3; index += 1) {
    const word = bare(text, tokens[index]!);
    if (TIMES.has(word)) return true;
    if (!COUNTS.has(word) && word !== 'of' && word !== 'couple') return false;
  }
  return false;
}

function leadsNumber(text: string, token: Token): boolean {
  if (token.letters === 0) return token.end - token.start === 1 && '#$€£¥₹№'.includes(text[token.start]!);
  return isMonth(text, token) || NUMBERED.has(bare(text, token));
}

function isMonth(text: string, token: Token): boolean {
  return (
    token.letters > 2 &&
    token.letters < 11 &&
    token.digits === 0 &&
    MONTHS.has(bare(text, token)) &&
    (token.capitalFirst || token.letters > 3)
  );
}

function bare(text: string, { start, end }: Token): string {
  let last = end;
  while (last > start + 1 && endsClause(text.charCodeAt(last - 1))) last -= 1;
  return text.slice(start, last).toLowerCase();
}

function endsClause(code: number): boolean {
  return code === 44 || code === 46 || code === 59 || code === 58 || code === 33 || code === 63 || code === 41;
}

function endsInDigit(text: string, { end }: Token): boolean {
  const code = text.charCodeAt(end - 1);
  return (code >= 48 && code <= 57) || code === 41;
}

/** A bare number below 1,000 is often a count of nothing in particular; all else with a digit is worth its letters. */
function isStrongNumber(text: string, { start, end, digits, letters }: Token): boolean {
  if (letters > 0) return end - start > 2 || digits > 1;
  return digits > 3 || /\d[.,:/\-–]\d|[#%$€£¥₹°+(]/.test(text.slice(start, end));
}

/** Mail addresses, links, paths, file names, handles, snake_case, key=value. */
function isSigned(text: string): boolean {
  if (/^[@#][\p{L}_][\p{L}\p{N}_-]+/u.test(text) || /[\p{L}\p{N}]_[\p{L}\p{N}]|@[\w-]+\.|:\/\/|\w=\w|\w:\w\w|\\\w/u.test(text)) return true;
  if (/^(?:~|\.{1,2})?\/[\w.-]|\w\/[\w.-]+\/|\w\/[\w-]+\.\w/.test(text)) return true;
  const name = text.replace(/[.,;:!?)\]}"'”’]+$/, '');
  return /^[\w-]{2,}(?:\.[\w-]+)*\.[a-z]{2,5}$/i.test(name) && EXTENSION.test(name) && !/^(?:e\.g|i\.e|etc)$/i.test(name);
}

/** Past the closing quote of a quotation that opens at `start`, or 0. */
function endOfQuote(text: string, start: number, from: number, to: number): number {
  const code = text.charCodeAt(start);
  if (code !== 34 && code !== 39 && code !== 96 && code < 0xab) return 0;
  const opener = text[start]!;
  const closer = CLOSERS[opener];
  if (closer === undefined || (start > from && /[\p{L}\p{N}]/u.test(text[start - 1]!))) return 0;
  const end = text.indexOf(closer, start + 1);
  return end > start + 1 && end < to && end - start <= LONGEST_QUOTE ? end + 1 : 0;
}

/** Without the punctuation that belongs to the sentence. */
function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start + 1 && '.,;:!?)]}"\'”’»'.includes(text[at - 1]!) && !(text[at - 1] === ')' && text.slice(start, at).includes('(')))
    at -= 1;
  return at;
}
