import { KIND, type Tokens } from './tokens.js';

/** English spellings that people type in a hurry, and what they stand for. */
const SPELLINGS: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  "dont:don't,doesnt:doesn't,didnt:didn't,isnt:isn't,arent:aren't,wasnt:wasn't,werent:weren't,cant:can't,cannot:can't,couldnt:couldn't,wont:won't,wouldnt:wouldn't,shouldnt:shouldn't,hasnt:hasn't,havent:haven't,hadnt:hadn't,aint:ain't,im:i'm,ive:i've,youre:you're,youve:you've,thats:that's,whats:what's,theyre:they're,theres:there's,heres:here's,pls:please,plz:please,u:you,r:are,ur:you're,gonna:going,wanna:want,idk:idk,tho:though,thru:through,bcuz:because,cuz:because,gud:good,luv:love,gr8:great"
    .split(',')
    .map((pair) => pair.split(':') as [string, string]),
);
const BEFORE_NOT: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  'do,does,did,is,are,was,were,has,have,had,would,could,should,must,need'
    .split(',')
    .map((word) => [word, `${word}n't`] as [string, string])
    .concat([
      ['can', "can't"],
      ['will', "won't"],
    ]),
);
const AFTER_PRONOUN: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ['i am', "i'm"],
  ['i have', "i've"],
  ['you are', "you're"],
  ['you have', "you've"],
  ['it is', "it's"],
  ['that is', "that's"],
  ['what is', "what's"],
  ['they are', "they're"],
  ['we are', "we're"],
  ['he is', "he's"],
  ['she is', "she's"],
  ['there is', "there's"],
]);

/**
 * One spelling for each contraction, so that phrases and n-grams need know only one: `do not`, `dont` are `don't`.
 *
 * @returns The tokens that were given, changed in place: they are the caller's own, and a copy would cost as much as the rest.
 */
export function mergeContractions(tokens: Tokens): Tokens {
  const { texts, kinds, capitals, joined } = tokens;
  let size = 0;
  for (let index = 0; index < texts.length; index += 1) {
    const kind = kinds[index] as number;
    let text = texts[index] as string;
    if (kind === KIND.word) {
      text = SPELLINGS.get(text) ?? text;
      if (size > 0 && kinds[size - 1] === KIND.word) {
        const before = texts[size - 1] as string;
        let both: string | undefined;
        if (text === 'not') both = BEFORE_NOT.get(before);
        else if (text === 'am' || text === 'are' || text === 'is' || text === 'have') both = AFTER_PRONOUN.get(`${before} ${text}`);
        if (both !== undefined) {
          texts[size - 1] = both;
          continue;
        }
      }
    }
    texts[size] = text;
    kinds[size] = kind;
    capitals[size] = capitals[index] as number;
    joined[size] = joined[index] as number;
    size += 1;
  }
  texts.length = size;
  kinds.length = size;
  capitals.length = size;
  joined.length = size;
  return tokens;
}
