import { hashOf } from './hash-text.js';

/** What a token is. `cjk` tokens are single characters; `mark` is a run of punctuation; `name` an identifier or path. */
export const KIND = { word: 0, cjk: 1, mark: 2, emoji: 3, face: 4, mask: 5 } as const;

/** Tokens of a text, side by side: same index, same token. */
export interface Tokens {
  /** Lower case; for masks the character of `MASKS`. */
  readonly texts: string[];
  readonly kinds: number[];
  /** The hash of each text, seeded with its kind; see `hash-text.ts`. */
  readonly hashes: number[];
  size: number;
  /** Where a word of two letters or more is all capitals. Few are, so places cost less than a list of all tokens. */
  capitals: ReadonlySet<number>;
  /** Where a word is joined to a neighbour by a hyphen. */
  joined: ReadonlySet<number>;
  /** Letters and capital letters of the whole text; both 0 when it has no capitals. */
  letters: number;
  uppers: number;
}

/** Characters a token, spaces included, in most texts; lists of about the right size need not grow by and by. */
const CHARS_A_TOKEN = 4;

// Most texts have no such places, and each set of their own would be garbage.
const NOWHERE: ReadonlySet<number> = new Set();

/** The places, and one more. */
export function withPlace(places: ReadonlySet<number>, place: number): ReadonlySet<number> {
  return places === NOWHERE ? new Set([place]) : (places as Set<number>).add(place);
}

/** An empty list with room for the tokens of a text of that length. */
export function createTokens(chars: number): Tokens {
  const room = 8 + Math.ceil(chars / CHARS_A_TOKEN);
  return {
    texts: new Array<string>(room),
    kinds: new Array<number>(room),
    hashes: new Array<number>(room),
    size: 0,
    capitals: NOWHERE,
    joined: NOWHERE,
    letters: 0,
    uppers: 0,
  };
}

/** Adds one token; a word comes with the hash that reading it gave. */
export function push(tokens: Tokens, text: string, kind: number, hash = hashOf(text, kind)): void {
  const { size } = tokens;
  tokens.texts[size] = text;
  tokens.kinds[size] = kind;
  tokens.hashes[size] = hash;
  tokens.size = size + 1;
}

/** Puts another word in the place of one. */
export function replaceWord(tokens: Tokens, place: number, word: string): void {
  tokens.texts[place] = word;
  tokens.hashes[place] = hashOf(word, KIND.word);
}

/** Takes the last token off, which must not be a word. */
export function pop(tokens: Tokens): void {
  tokens.size -= 1;
}

/** Takes the room off that was not needed; hashes are read by place only and may keep theirs. */
export function trim(tokens: Tokens): Tokens {
  tokens.texts.length = tokens.size;
  tokens.kinds.length = tokens.size;
  return tokens;
}
