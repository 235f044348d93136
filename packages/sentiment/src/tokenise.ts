import { MASKS } from './mask-text.js';

/** What a token is. `cjk` tokens are single characters; `mark` is a run of punctuation; `name` an identifier or path. */
export const KIND = { word: 0, cjk: 1, mark: 2, emoji: 3, face: 4, mask: 5 } as const;

/** Tokens of a text, side by side: same index, same token. */
export interface Tokens {
  /** Lower case; for masks the character of `MASKS`. */
  readonly texts: string[];
  readonly kinds: number[];
  /** 1 where a word of two letters or more is all capitals. */
  readonly capitals: number[];
  /** 1 where a word is joined to a neighbour by a hyphen. */
  readonly joined: number[];
  /** Letters and capital letters of the whole text. */
  letters: number;
  uppers: number;
}

const OTHER = 0;
const LETTER = 1;
const DIGIT = 2;
const SPACE = 3;
const CJK = 4;
const EMOJI = 5;
const MASK = 6;

/**
 * Splits a normalised, masked text. Words keep inner apostrophes; Chinese, Japanese kana and Han come out one character
 * a token; identifiers, paths and file names become one mask. Linear in the length of the text.
 */
export function tokenise(text: string): Tokens {
  const lower = text.toLowerCase();
  // Rare letters grow when lowered; then positions no longer agree and capitals are given up.
  const raw = lower.length === text.length ? text : lower;
  const tokens: Tokens = { texts: [], kinds: [], capitals: [], joined: [], letters: 0, uppers: 0 };
  const length = lower.length;
  let at = 0;
  let hyphenBefore = false;
  while (at < length) {
    const code = lower.charCodeAt(at);
    const type = classOf(code);
    if (type === SPACE) {
      hyphenBefore = false;
      at += 1;
    } else if (type === LETTER || type === DIGIT) {
      const end = wordEnd(lower, at);
      if (isName(lower, raw, at, end)) {
        // Whom a message is addressed to says nothing of how it feels: @names leave no trace.
        const isMention = at > 0 && lower.charCodeAt(at - 1) === 64;
        if (isMention && tokens.texts.at(-1) === '@') pop(tokens);
        at = chunkEnd(lower, end);
        if (!isMention) push(tokens, MASKS.name, KIND.mask, 0, 0);
        hyphenBefore = false;
        continue;
      }
      const hyphenAfter = lower.charCodeAt(end) === 45 && end + 1 < length && classOf(lower.charCodeAt(end + 1)) === LETTER;
      push(tokens, lower.slice(at, end), KIND.word, allCapitals(tokens, lower, raw, at, end), hyphenBefore || hyphenAfter ? 1 : 0);
      hyphenBefore = hyphenAfter;
      at = hyphenAfter ? end + 1 : end;
    } else if (type === CJK) {
      const wide = code >= 0xd800 && code <= 0xdbff ? 2 : 1;
      push(tokens, lower.slice(at, at + wide), KIND.cjk, 0, 0);
      at += wide;
    } else if (type === EMOJI) {
      const wide = code >= 0xd800 && code <= 0xdbff ? 2 : 1;
      push(tokens, lower.slice(at, at + wide), KIND.emoji, 0, 0);
      at += wide;
    } else if (type === MASK) {
      push(tokens, lower[at] ?? '', KIND.mask, 0, 0);
      at += 1;
    } else {
      at = mark(tokens, lower, at);
      hyphenBefore = false;
    }
  }
  return tokens;
}

function push(tokens: Tokens, text: string, kind: number, capital: number, joined: number): void {
  tokens.texts.push(text);
  tokens.kinds.push(kind);
  tokens.capitals.push(capital);
  tokens.joined.push(joined);
}

function pop(tokens: Tokens): void {
  tokens.texts.pop();
  tokens.kinds.pop();
  tokens.capitals.pop();
  tokens.joined.pop();
}

/** The class of a UTF-16 unit; a lead surrogate stands for its plane: emoji, or Han from U+20000. */
function classOf(code: number): number {
  if (code < 128) {
    if (code >= 97 && code <= 122) return LETTER;
    if (code <= 32) return SPACE;
    if (code >= 48 && code <= 57) return DIGIT;
    return code >= 65 && code <= 90 ? LETTER : OTHER;
  }
  if (code < 0x2000)
    return code < 0xc0
      ? code === 0xaa || code === 0xb5 || code === 0xba
        ? LETTER
        : code === 0xa0
          ? SPACE
          : OTHER
      : code === 0xd7 || code === 0xf7
        ? OTHER
        : LETTER;
  if (code < 0x2c00)
    return code >= 0x2600 || (code >= 0x2300 && code <= 0x23ff) || (code >= 0x2190 && code <= 0x21ff)
      ? EMOJI
      : code <= 0x200a || code === 0x2028 || code === 0x2029
        ? SPACE
        : OTHER;
  if (code < 0x3040) return code < 0x2e00 ? LETTER : code === 0x3000 ? SPACE : code === 0x3005 ? CJK : OTHER;
  if (code <= 0x30ff) return code === 0x30fb ? OTHER : CJK;
  if (code < 0x3400) return OTHER;
  if (code <= 0x9fff) return CJK;
  if (code < 0xd800) return LETTER;
  if (code <= 0xdbff) return code >= 0xd840 && code <= 0xd8ff ? CJK : EMOJI;
  if (code >= 0xe000 && code <= 0xe004) return MASK;
  return code >= 0xf900 && code <= 0xfaff ? CJK : OTHER;
}

function wordEnd(lower: string, start: number): number {
  let at = start + 1;
  for (; at < lower.length; at += 1) {
    const type = classOf(lower.charCodeAt(at));
    if (type === LETTER || type === DIGIT) continue;
    const isInnerApostrophe = lower.charCodeAt(at) === 39 && at + 1 < lower.length && classOf(lower.charCodeAt(at + 1)) === LETTER;
    if (!isInnerApostrophe) break;
  }
  return at;
}

const FILE_ENDINGS: ReadonlySet<string> = new Set(
  'js ts tsx jsx mjs cjs py rb rs go java kt c h cc cpp hpp cs php swift sh json jsonl yaml yml toml ini cfg conf env md txt csv tsv sql html htm css scss xml svg png jpg jpeg gif pdf log lock zip gz tar exe dll so jar vue svelte com org net io dev local'.split(
    ' ',
  ),
);

/** True where a word is part of an identifier, a path, an assignment or a file name, and so nobody's feeling. */
function isName(lower: string, raw: string, start: number, end: number): boolean {
  const before = start > 0 ? lower.charCodeAt(start - 1) : 32;
  const after = end < lower.length ? lower.charCodeAt(end) : 32;
  if (before === 64 || before === 36) return true; // @name, $name
  if (before === 47 || before === 92 || before === 95) return after !== 42 && (before !== 95 || after !== 95);
  const next = end + 1 < lower.length ? classOf(lower.charCodeAt(end + 1)) : SPACE;
  if (after === 95) return next === LETTER || next === DIGIT; // snake_case
  if (after === 61) return next !== SPACE && next !== OTHER; // key=value
  if (after === 40) return end + 1 < lower.length && lower.charCodeAt(end + 1) === 41; // call()
  if (after === 47) return next !== SPACE && isPath(lower, end);
  if (after === 46 && next === LETTER) {
    const stop = wordEnd(lower, end + 1);
    return FILE_ENDINGS.has(lower.slice(end + 1, stop)) || lower.charCodeAt(stop) === 40 || lower.charCodeAt(stop) === 46;
  }
  if (before === 45 && start > 1 && lower.charCodeAt(start - 2) === 45) return true; // --flag
  return isCamelCase(raw, start, end);
}

function isPath(lower: string, slash: number): boolean {
  const stop = chunkEnd(lower, slash);
  for (let at = slash + 1; at < stop; at += 1) {
    const code = lower.charCodeAt(at);
    if (code === 47 || code === 95 || (code === 46 && at + 1 < stop)) return true;
  }
  return false;
}

/** A small letter before a capital one, as in `renderList`; names such as GitHub are caught too, which does no harm. */
function isCamelCase(raw: string, start: number, end: number): boolean {
  let smallBefore = false;
  for (let at = start; at < end; at += 1) {
    const code = raw.charCodeAt(at);
    if (code >= 97 && code <= 122) smallBefore = true;
    else if (code >= 65 && code <= 90) {
      if (smallBefore) return true;
    } else smallBefore = false;
  }
  return false;
}

/** The end of what stands together without a space, less closing punctuation. */
function chunkEnd(lower: string, from: number): number {
  let at = from;
  while (at < lower.length) {
    const type = classOf(lower.charCodeAt(at));
    if (type === SPACE || type === CJK || type === EMOJI || type === MASK) break;
    at += 1;
  }
  while (at > from && /[.,;:!?)\]"']/.test(lower[at - 1] ?? '')) at -= 1;
  return Math.max(at, from);
}

function allCapitals(tokens: Tokens, lower: string, raw: string, start: number, end: number): number {
  let letters = 0;
  let uppers = 0;
  for (let at = start; at < end; at += 1) {
    const code = lower.charCodeAt(at);
    if (code >= 48 && code <= 57) continue;
    letters += 1;
    if (raw.charCodeAt(at) !== code) uppers += 1;
  }
  tokens.letters += letters;
  tokens.uppers += uppers;
  return uppers >= 2 && uppers >= letters - (letters > 3 ? 1 : 0) ? 1 : 0;
}

const MOUTHS = new Map([
  [')', ':)'],
  [']', ':)'],
  ['d', ':)'],
  ['p', ':)'],
  ['3', ':)'],
  ['*', ':)'],
  ['(', ':('],
  ['[', ':('],
  ['c', ':('],
  ['/', ':/'],
  ['\\', ':/'],
  ['|', ':/'],
  ['s', ':/'],
  ['o', ':o'],
]);

/** Reads a face, a `:shortcode:`, `<3`, `+1` or a run of one kind of punctuation; returns where it ends. */
function mark(tokens: Tokens, lower: string, start: number): number {
  const first = lower[start] ?? '';
  const second = lower[start + 1] ?? '';
  if (first === ':' || first === ';' || first === '=') {
    const nose = second === '-' || second === "'" ? 1 : 0;
    const mouth = MOUTHS.get(lower[start + 1 + nose] ?? '');
    const stop = start + 2 + nose;
    const isFree = stop >= lower.length || classOf(lower.charCodeAt(stop)) !== LETTER;
    if (mouth !== undefined && isFree && !(first === '=' && nose === 0 && mouth !== ':)')) {
      push(tokens, second === "'" ? ':(' : mouth, KIND.face, 0, 0);
      return stop;
    }
    const code = first === ':' ? shortcode(lower, start) : -1;
    if (code !== -1) {
      push(tokens, lower.slice(start, code), KIND.emoji, 0, 0);
      return code;
    }
  }
  if (first === '<' && second === '3') {
    push(tokens, '<3', KIND.face, 0, 0);
    return start + 2;
  }
  if ((first === '+' || first === '-') && second === '1' && classOf(lower.charCodeAt(start + 2) || 32) !== DIGIT) {
    push(tokens, `${first}1`, KIND.face, 0, 0);
    return start + 2;
  }
  let at = start + 1;
  const isLoud = first === '!' || first === '?';
  while (at < lower.length && (lower[at] === first || (isLoud && (lower[at] === '!' || lower[at] === '?')))) at += 1;
  const run = lower.slice(start, Math.min(at, start + 3));
  push(tokens, isLoud && run.includes('!') && run.includes('?') ? '?!' : run, KIND.mark, 0, 0);
  return at;
}

function shortcode(lower: string, start: number): number {
  let at = start + 1;
  while (at < lower.length && at < start + 32 && /[a-z0-9_+-]/.test(lower[at] ?? '')) at += 1;
  return at > start + 2 && lower[at] === ':' ? at + 1 : -1;
}
