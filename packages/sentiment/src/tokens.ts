import { wordEnd } from './char-class.js';
import { hashNext, hashOf, hashStart, stemHash } from './hash-text.js';

/** What a token is. `cjk` tokens are single characters; `mark` is a run of punctuation; `name` an identifier or path. */
export const KIND = { word: 0, cjk: 1, mark: 2, emoji: 3, face: 4, mask: 5 } as const;

/** How a word is written, as bits: all capitals (two letters or more), joined to a neighbour by a hyphen, with an apostrophe. */
export const WRITTEN = { capitals: 1, joined: 2, apostrophe: 4 } as const;

/**
 * Tokens of a text, side by side: same index, same token. Numbers in typed arrays, and a token's text only where it is
 * asked for: an object or a string for each token would be most of what reading a text leaves behind.
 */
export interface Tokens {
  /** The lower-case text that the tokens stand in. */
  source: string;
  /** How many there are; what the lists hold beyond is of no meaning. */
  size: number;
  kinds: Uint8Array;
  /** Bits of {@link WRITTEN}. */
  written: Uint8Array;
  /** Where each begins in `source`, and how long its text is. */
  starts: Int32Array;
  lengths: Int32Array;
  /** The hash of each text, seeded with its kind, and of a word's beginning; see `hash-text.ts`. */
  hashes: Int32Array;
  stems: Int32Array;
  /** Texts that were asked for or stand otherwise in the source; see {@link textOf}. */
  readonly texts: string[];
  /** Room for the ids of the tokens, a list for each lexicon, and for the places of n-grams: who fills it says how. */
  readonly ids: Int32Array[];
  seen: Int32Array;
  /** Letters and capital letters of the whole text; both 0 when it has no capitals. */
  letters: number;
  uppers: number;
}

const FEWEST = 64;

/** An empty list. */
export function createTokens(): Tokens {
  return {
    source: '',
    size: 0,
    kinds: new Uint8Array(FEWEST),
    written: new Uint8Array(FEWEST),
    starts: new Int32Array(FEWEST),
    lengths: new Int32Array(FEWEST),
    hashes: new Int32Array(FEWEST),
    stems: new Int32Array(FEWEST),
    texts: [],
    ids: [],
    seen: new Int32Array(0),
    letters: 0,
    uppers: 0,
  };
}

/** Adds a token that stands in the source as it is; returns its place. */
export function push(tokens: Tokens, kind: number, start: number, length: number, hash: number, stem: number): number {
  const place = tokens.size;
  if (place === tokens.kinds.length) grow(tokens);
  tokens.kinds[place] = kind;
  tokens.written[place] = 0;
  tokens.starts[place] = start;
  tokens.lengths[place] = length;
  tokens.hashes[place] = hash;
  tokens.stems[place] = stem;
  tokens.texts[place] = '';
  tokens.size = place + 1;
  return place;
}

/** Adds a token, no word, that stands in the source as it is; returns its place. */
export function pushSpan(tokens: Tokens, kind: number, start: number, end: number): number {
  let hash = hashStart(kind);
  for (let at = start; at < end; at += 1) hash = hashNext(hash, tokens.source.charCodeAt(at));
  return push(tokens, kind, start, end - start, hash, 0);
}

/** Adds a token, no word, of a text of its own. */
export function pushText(tokens: Tokens, kind: number, text: string): void {
  const place = push(tokens, kind, 0, text.length, hashOf(text, kind), 0);
  tokens.texts[place] = text;
}

/** Puts another word in the place of one, which still begins where it was typed. */
export function replaceWord(tokens: Tokens, place: number, word: string): void {
  tokens.texts[place] = word;
  tokens.lengths[place] = word.length;
  tokens.hashes[place] = hashOf(word, KIND.word);
  tokens.stems[place] = stemHash(word);
  if (word.includes("'")) write(tokens, place, WRITTEN.apostrophe);
}

/** Notes how a token is written. */
export function write(tokens: Tokens, place: number, bit: number): void {
  tokens.written[place] = (tokens.written[place] as number) | bit;
}

/** Takes the last token off. */
export function pop(tokens: Tokens): void {
  tokens.size -= 1;
}

/** The text of a token, in lower case; for masks the character of `MASKS`. Empty beyond the last. */
export function textOf(tokens: Tokens, place: number): string {
  if (place < 0 || place >= tokens.size) return '';
  const made = tokens.texts[place] as string;
  if (made !== '') return made;
  const start = tokens.starts[place] as number;
  const text = tokens.source.slice(start, start + (tokens.lengths[place] as number));
  tokens.texts[place] = text;
  return text;
}

/** A word as it was typed: contractions have a text of their own, and those of two words only the first here. */
export function typedWord({ source, starts }: Tokens, place: number): string {
  const start = starts[place] as number;
  return source.slice(start, wordEnd(source, start));
}

/** What a token is; `undefined` beyond the last. */
export function kindOf({ kinds, size }: Tokens, place: number): number | undefined {
  return place < size ? kinds[place] : undefined;
}

/** Whether there is a token of that kind. */
export function hasKind({ kinds, size }: Tokens, kind: number): boolean {
  for (let place = 0; place < size; place += 1) if (kinds[place] === kind) return true;
  return false;
}

/** The texts of the tokens from one place to another (exclusive). */
export function textsOf(tokens: Tokens, from = 0, to: number = tokens.size): string[] {
  const texts: string[] = [];
  for (let place = from; place < to && place < tokens.size; place += 1) texts.push(textOf(tokens, place));
  return texts;
}

function grow(tokens: Tokens): void {
  const room = tokens.size * 2;
  tokens.kinds = copied(new Uint8Array(room), tokens.kinds);
  tokens.written = copied(new Uint8Array(room), tokens.written);
  tokens.starts = copied(new Int32Array(room), tokens.starts);
  tokens.lengths = copied(new Int32Array(room), tokens.lengths);
  tokens.hashes = copied(new Int32Array(room), tokens.hashes);
  tokens.stems = copied(new Int32Array(room), tokens.stems);
}

function copied<T extends Uint8Array | Int32Array>(to: T, from: T): T {
  to.set(from);
  return to;
}
