/** All such words are ASCII and shorter than a number has bits. */
const LAST_CODE = 127;
const LONGEST = 30;

/** English spellings that people type in a hurry, and what they stand for. */
const SPELLINGS: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  "dont:don't,doesnt:doesn't,didnt:didn't,isnt:isn't,arent:aren't,wasnt:wasn't,werent:weren't,cant:can't,cannot:can't,couldnt:couldn't,wont:won't,wouldnt:wouldn't,shouldnt:shouldn't,hasnt:hasn't,havent:haven't,hadnt:hadn't,aint:ain't,im:i'm,ive:i've,youre:you're,youve:you've,thats:that's,whats:what's,theyre:they're,theres:there's,heres:here's,pls:please,plz:please,u:you,r:are,ur:you're,gonna:going,wanna:want,idk:idk,tho:though,thru:through,bcuz:because,cuz:because,gud:good,luv:love,gr8:great"
    .split(',')
    .map((pair) => pair.split(':') as [string, string]),
);
/** By second word and first: what both make. */
const PAIRS: ReadonlyMap<string, ReadonlyMap<string, string>> = /* @__PURE__ */ new Map([
  ['not', pairs('do,does,did,is,are,was,were,has,have,had,would,could,should,must,need', "n't").set('can', "can't").set('will', "won't")],
  ['am', pairs('i', "'m")],
  ['have', pairs('i,you', "'ve")],
  ['are', pairs('you,they,we', "'re")],
  ['is', pairs('it,that,what,he,she,there', "'s")],
]);

const WORDS: readonly string[] = /* @__PURE__ */ [...SPELLINGS.keys(), ...PAIRS.keys()];
/** By the code of a letter: the lengths of the words above that begin or end with it, as bits. */
const FIRST: readonly number[] = /* @__PURE__ */ lengthsBy((word) => word.charCodeAt(0));
const LAST: readonly number[] = /* @__PURE__ */ lengthsBy((word) => word.charCodeAt(word.length - 1));

/** Whether a word can be neither cut short nor the second of a pair: its letters and length tell of most, and save the look-ups. */
export function isPlain(word: string): boolean {
  const { length } = word;
  const first = word.charCodeAt(0);
  const last = word.charCodeAt(length - 1);
  return (
    length > LONGEST ||
    first > LAST_CODE ||
    last > LAST_CODE ||
    ((((FIRST[first] as number) & (LAST[last] as number)) >>> length) & 1) === 0
  );
}

/** The one spelling of a word that people also type without its apostrophe or cut short: `dont` is `don't`. */
export function spelled(word: string): string {
  return SPELLINGS.get(word) ?? word;
}

/** The contraction that two words make, so that phrases and n-grams need know only one form: `do not` is `don't`. */
export function contraction(before: string, word: string): string | undefined {
  return PAIRS.get(word)?.get(before);
}

function lengthsBy(letter: (word: string) => number): readonly number[] {
  const lengths = new Array<number>(LAST_CODE + 1).fill(0);
  for (const word of WORDS) lengths[letter(word)] = (lengths[letter(word)] ?? 0) | (1 << word.length);
  return lengths;
}

function pairs(words: string, ending: string): Map<string, string> {
  return new Map(words.split(',').map((word) => [word, word + ending]));
}
