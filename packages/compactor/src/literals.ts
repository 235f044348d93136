/** A piece of text that means nothing unless it is kept character by character: a number, a name, a path. */
export interface Literal {
  readonly start: number;
  readonly end: number;
  /** False for what is often noise: a small number, a single capitalised word. */
  readonly strong: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const MONTHS = words(
  'january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec ' +
    'januar februar märz mai juni juli oktober dezember enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre ' +
    'janvier février mars avril juin juillet août septembre octobre novembre décembre',
);
const DAYS = words(
  'monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays mon tue wed thu fri sat ' +
    'montag dienstag mittwoch donnerstag freitag samstag sonntag lunes martes miércoles jueves viernes sábado domingo ' +
    'lundi mardi mercredi jeudi vendredi samedi dimanche tomorrow noon midnight',
);
/** Words that belong to the number before them. */
const UNITS = words(
  '€ $ £ ¥ am pm a.m p.m a.m. p.m. % percent usd eur gbp chf jpy dollars dollar euros euro pounds bucks cents kg g mg lb lbs oz ml l km m cm mm miles mile feet ft inch inches ' +
    "kb mb gb tb ms s sec seconds min mins minutes minute h hr hrs hours hour days day weeks week months month years year o'clock people persons guests tickets nights " +
    'rooms seats pages tokens times st street avenue ave road rd lane drive blvd degrees °c °f uhr stunden tage wochen personen personas horas días jours heures personnes',
);
const NO_NAME = words(
  "I I'm I'll I've I'd I’m I’ll I’ve I’d OK Okay Yes No Hi Hello Hey Thanks Thank Please Sorry Sure Well The This That It It's Is We You He She They And But So If What When Where Who Why How A An My Your Our Can Could Would Will Do Does Let Let's Also Then Not There Here In On At For To Of As By From With",
);
const EXTENSION = /\.(?:[a-z]{1,5}|mp[34]|7z)$/i;
const COUNTS = words(
  'a an one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty ninety hundred half few several dozen couple',
);
const TIMES = words('second seconds minute minutes hour hours day days week weeks weekend weekends month months year years');
/** Words that number what follows. */
const NUMBERED = words(
  'no nr number room gate flight apt suite unit order ticket invoice version chapter section page line row seat table platform bus route track step item phase',
);
const CLOSERS: { readonly [opener: string]: string } = { '"': '"', '“': '”', '«': '»', '„': '“', '「': '」', "'": "'", '`': '`', '‘': '’' };
const LONGEST_QUOTE = 80;

/** A word between blanks: where it is and what it is made of. */
interface Token {
  readonly start: number;
  readonly end: number;
  readonly digits: number;
  readonly letters: number;
  readonly capitals: number;
  readonly capitalFirst: boolean;
  /** One of the signs that addresses, paths and names in code have. */
  readonly signs: boolean;
}

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

function tokensOf(text: string, from: number, to: number): readonly Token[] {
  const tokens: Token[] = [];
  let index = from;
  while (index < to) {
    let code = text.charCodeAt(index);
    if (isGap(code)) {
      index += 1;
      continue;
    }
    // An opening bracket is no part of the word, except in front of a telephone's area code.
    if (
      (code === 40 || code === 91 || code === 123 || code === 60 || code === 124) &&
      !(code === 40 && isDigit(text.charCodeAt(index + 1)))
    ) {
      index += 1;
      continue;
    }
    const start = index;
    let digits = 0;
    let letters = 0;
    let capitals = 0;
    let signs = false;
    let capitalFirst = false;
    for (; index < to; index += 1) {
      code = text.charCodeAt(index);
      if (code >= 97 && code <= 122) letters += 1;
      else if (code >= 48 && code <= 57) digits += 1;
      else if (code >= 65 && code <= 90) {
        letters += 1;
        capitals += 1;
        if (letters === 1) capitalFirst = true;
      } else if (isGap(code)) break;
      else if (code > 127) {
        const letter = text[index]!;
        if (letter.toLowerCase() !== letter) {
          capitals += 1;
          if (letters === 0) capitalFirst = true;
        }
        letters += 1;
      } else if (code === 64 || code === 47 || code === 92 || code === 95 || code === 61 || code === 35 || code === 58) signs = true;
      else if (code === 46 && index + 1 < to && !isGap(text.charCodeAt(index + 1))) signs = true;
    }
    tokens.push({ start, end: index, digits, letters, capitals, capitalFirst, signs });
  }
  return tokens;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Blanks, and the signs after which Chinese and Japanese sentences go on without one. */
function isGap(code: number): boolean {
  return code <= 32 || code === 0xa0 || (code >= 0x3000 && code <= 0x3002) || code === 0xff0c || code === 0xff1a;
}
