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
  'am pm a.m p.m a.m. p.m. % percent usd eur gbp chf jpy dollars dollar euros euro pounds bucks cents kg g mg lb lbs oz ml l km m cm mm miles mile feet ft inch inches ' +
    "kb mb gb tb ms s sec seconds min mins minutes minute h hr hrs hours hour days day weeks week months month years year o'clock people persons guests tickets nights " +
    'rooms seats pages tokens times st street avenue ave road rd lane drive blvd degrees °c °f uhr stunden tage wochen personen personas horas días jours heures personnes',
);
const NO_NAME = words(
  "I I'm I'll I've I'd I’m I’ll I’ve I’d OK Okay Yes No Hi Hello Hey Thanks Thank Please Sorry Sure Well The This That It It's Is We You He She They And But So If What When Where Who Why How A An My Your Our Can Could Would Will Do Does Let Let's Also Then Not There Here In On At For To Of As By From With",
);
const EXTENSION = /\.(?:[a-z]{1,5}|mp[34]|7z)$/i;
const OPENERS = '"“«„「\'`‘';
const CLOSERS: { readonly [opener: string]: string } = { '"': '"', '“': '”', '«': '»', '„': '“', '「': '」', "'": "'", '`': '`', '‘': '’' };
const LONGEST_QUOTE = 80;

interface Token {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly digits: number;
  readonly letters: number;
  readonly capitalFirst: boolean;
  readonly capitals: number;
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
  const add = (start: number, end: number, strong: boolean): void => {
    const last = found.at(-1);
    if (last && start < last.end) {
      if (end <= last.end) return;
      found[found.length - 1] = { start: last.start, end, strong: last.strong || strong };
    } else found.push({ start, end, strong });
  };
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]!;
    const quoteEnd = endOfQuote(text, token.start, from, to);
    if (quoteEnd > 0) {
      add(token.start, quoteEnd, true);
      while (index + 1 < tokens.length && tokens[index + 1]!.end <= quoteEnd) index += 1;
      continue;
    }
    const lower = token.text.toLowerCase();
    if (token.digits > 0) {
      let end = token.end;
      let strong = isStrongNumber(token);
      const previous = tokens[index - 1];
      const start =
        previous && (isMonth(previous) || /^[#$€£¥₹№]$|^(?:no|nr|number|room|gate|flight|apt|suite|unit)\.?$/i.test(previous.text))
          ? previous.start
          : token.start;
      if (start !== token.start) strong = true;
      // "14 March 2031", "7:30 pm", "(555) 010-9999", "6821 1st Ave": what follows belongs to it.
      for (let steps = 0; steps < 3; steps += 1) {
        const next = tokens[index + 1];
        if (
          !next ||
          (!isMonth(next) &&
            !UNITS.has(bare(next)) &&
            !(next.digits > 0 && next.letters === 0 && (isMonth(tokens[index]!) || /[\d)]$/.test(tokens[index]!.text))))
        )
          break;
        index += 1;
        end = next.end;
        strong = true;
      }
      add(start, trimmedEnd(text, start, end), strong);
    } else if (
      isMonth(token) ? token.capitalFirst || lower.length > 3 : DAYS.has(bare(token)) && (token.capitalFirst || lower.length > 4)
    ) {
      add(token.start, trimmedEnd(text, token.start, token.end), true);
    } else if (token.signs && isSigned(token.text)) {
      add(token.start, trimmedEnd(text, token.start, token.end), true);
    } else if (token.capitals > 0 && token.letters > 1) {
      const end = trimmedEnd(text, token.start, token.end);
      const word = text.slice(token.start, end);
      if (/[a-z][A-Z]/.test(word)) add(token.start, end, true);
      else if (token.capitals === token.letters) add(token.start, end, false);
      else if (token.capitalFirst && index > 0 && !NO_NAME.has(word)) {
        let last = end;
        let next = tokens[index + 1];
        while (next?.capitalFirst && next.digits === 0 && !NO_NAME.has(next.text) && last === tokens[index]!.end) {
          index += 1;
          last = trimmedEnd(text, next.start, next.end);
          next = tokens[index + 1];
        }
        add(token.start, last, last > end);
      }
    }
  }
  return found;
}

function isMonth(token: Token): boolean {
  return MONTHS.has(bare(token)) && (token.capitalFirst || token.text.length > 3 || token.letters < token.text.length);
}

function bare(token: Token): string {
  return token.text.toLowerCase().replace(/[.,;:!?)]+$/, '');
}

/** A bare number below 1,000 is often a count of nothing in particular; all else with a digit is worth its letters. */
function isStrongNumber({ text, digits, letters }: Token): boolean {
  if (letters > 0) return text.length > 2 || digits > 1;
  return digits > 3 || /\d[.,:/\-–]\d|[#%$€£¥₹°+()]/.test(text);
}

/** Mail addresses, links, paths, file names, handles, snake_case, key=value. */
function isSigned(text: string): boolean {
  if (/^[@#][\p{L}_][\p{L}\p{N}_-]+/u.test(text) || /[\p{L}\p{N}]_[\p{L}\p{N}]|@[\w-]+\.|:\/\/|\w=\w|\\\w/u.test(text)) return true;
  if (/^(?:~|\.{1,2})?\/[\w.-]|\w\/[\w.-]+\/|\w\/[\w-]+\.\w/.test(text)) return true;
  const name = text.replace(/[.,;:!?)\]}"'”’]+$/, '');
  return /^[\w-]{2,}(?:\.[\w-]+)*\.[a-z]{2,5}$/i.test(name) && EXTENSION.test(name) && !/^(?:e\.g|i\.e|etc)$/i.test(name);
}

/** Past the closing quote of a quotation that opens at `start`, or 0. */
function endOfQuote(text: string, start: number, from: number, to: number): number {
  const opener = text[start]!;
  if (!OPENERS.includes(opener) || (start > from && /[\p{L}\p{N}]/u.test(text[start - 1]!))) return 0;
  const end = text.indexOf(CLOSERS[opener]!, start + 1);
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
    while (index < to && isGap(text.charCodeAt(index))) index += 1;
    if (index >= to) break;
    // An opening bracket is no part of the word, except in front of a telephone's area code.
    while (index < to && '([{<|'.includes(text[index]!) && !/^\(\d/.test(text.slice(index, index + 2))) index += 1;
    const start = index;
    let digits = 0;
    let letters = 0;
    let capitals = 0;
    let signs = false;
    let capitalFirst = false;
    while (index < to) {
      const code = text.charCodeAt(index);
      if (isGap(code)) break;
      if (code >= 48 && code <= 57) digits += 1;
      else if (code >= 97 && code <= 122) letters += 1;
      else if (code >= 65 && code <= 90) {
        letters += 1;
        capitals += 1;
        if (letters === 1) capitalFirst = true;
      } else if (code > 127) {
        const letter = text[index]!;
        const lower = letter.toLowerCase();
        if (lower !== letter) {
          capitals += 1;
          if (letters === 0) capitalFirst = true;
        }
        letters += 1;
      } else if (code !== 46 && code !== 44 && code !== 39 && code !== 33 && code !== 63) signs = true;
      else if (code === 46 && index + 1 < to && !isGap(text.charCodeAt(index + 1))) signs = true;
      index += 1;
    }
    if (index > start) tokens.push({ start, end: index, text: text.slice(start, index), digits, letters, capitals, capitalFirst, signs });
  }
  return tokens;
}

/** Blanks, and the signs after which Chinese and Japanese sentences go on without one. */
function isGap(code: number): boolean {
  return code <= 32 || code === 0xa0 || code === 0x3000 || code === 0x3001 || code === 0x3002 || code === 0xff0c || code === 0xff1a;
}
