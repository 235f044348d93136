import { createTokens, type Tokens } from './tokens.js';

/** One for a message and one for a turn before it. */
const MOST_SPARE = 2;
/** Longer lists are left to the garbage collector: few texts need them. */
const MOST_KEPT = 4096;

/** Room and no state: whoever takes a list is alone with it, and nothing that a text left in it can be met again. */
const spare: Tokens[] = [];

/** An empty list of tokens, to be given back: making its typed arrays takes longer than filling them with a message. */
export function takeTokens(): Tokens {
  return spare.pop() ?? createTokens();
}

/** Takes a list back that nobody will read any more. What is never given back is only made anew. */
export function giveBack(tokens: Tokens): void {
  tokens.source = '';
  tokens.texts.fill('', 0, tokens.size);
  tokens.size = 0;
  tokens.letters = 0;
  tokens.uppers = 0;
  if (spare.length < MOST_SPARE && tokens.kinds.length <= MOST_KEPT) spare.push(tokens);
}
