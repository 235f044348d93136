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

/** Adds one token. */
export function push(tokens: Tokens, text: string, kind: number, capital: number, joined: number): void {
  tokens.texts.push(text);
  tokens.kinds.push(kind);
  tokens.capitals.push(capital);
  tokens.joined.push(joined);
}

/** Takes the last token off. */
export function pop(tokens: Tokens): void {
  tokens.texts.pop();
  tokens.kinds.pop();
  tokens.capitals.pop();
  tokens.joined.pop();
}
