import { once } from './once.js';
import { WordTable } from './word-table.js';

/** English spellings that people type in a hurry, and what they stand for. */
const spellings: () => ReadonlyMap<string, string> = /* @__PURE__ */ once(
  () =>
    new Map(
      "dont:don't,doesnt:doesn't,didnt:didn't,isnt:isn't,arent:aren't,wasnt:wasn't,werent:weren't,cant:can't,cannot:can't,couldnt:couldn't,wont:won't,wouldnt:wouldn't,shouldnt:shouldn't,hasnt:hasn't,havent:haven't,hadnt:hadn't,aint:ain't,im:i'm,ive:i've,youre:you're,youve:you've,thats:that's,whats:what's,theyre:they're,theres:there's,heres:here's,pls:please,plz:please,u:you,r:are,ur:you're,gonna:going,wanna:want,idk:idk,tho:though,thru:through,bcuz:because,cuz:because,gud:good,luv:love,gr8:great"
        .split(',')
        .map((pair) => pair.split(':') as [string, string]),
    ),
);
/** A second word, what it becomes behind a first one, and the first words. */
const PAIRS: readonly (readonly [second: string, ending: string, firsts: string])[] = [
  ['not', "n't", 'do does did is are was were has have had would could should must need'],
  ['am', "'m", 'i'],
  ['have', "'ve", 'i you'],
  ['are', "'re", 'you they we'],
  ['is', "'s", 'it that what he she there'],
];
const ODD_PAIRS: readonly (readonly [second: string, first: string, both: string])[] = [
  ['not', 'can', "can't"],
  ['not', 'will', "won't"],
];

/** Words that are cut short or part of a pair, by their numbers in a table: the words of a text need not be cut out to be met here. */
export class Contractions {
  readonly words: WordTable;
  /** Words up to this number may be the second of a pair. */
  private readonly lastSecond = PAIRS.length;
  /** By number: the one spelling of a word that people also type without its apostrophe or cut short: `dont` is `don't`. */
  private readonly spellings: (string | undefined)[] = [];
  private readonly pairs = new Map<number, string>();

  constructor() {
    const numbers = new Map(PAIRS.map(([second], index) => [second, index + 1]));
    const numberOf = (word: string): number => numbers.get(word) ?? numbers.set(word, numbers.size + 1).size;
    for (const [typed, meant] of spellings()) this.spellings[numberOf(typed)] = meant;
    const addPair = (first: string, second: string, both: string): void => {
      this.pairs.set(keyOf(numberOf(first), numberOf(second)), both);
    };
    for (const [second, ending, firsts] of PAIRS) for (const first of firsts.split(' ')) addPair(first, second, first + ending);
    for (const [second, first, both] of ODD_PAIRS) addPair(first, second, both);
    this.words = new WordTable(numbers);
  }

  /** The one spelling of a word, by its number; `undefined` where it is right as it is. */
  spelling(word: number): string | undefined {
    return this.spellings[word];
  }

  /** Whether a word may be the second of a pair. */
  isSecond(word: number): boolean {
    return word !== 0 && word <= this.lastSecond;
  }

  /** The contraction that two words make, so that phrases and n-grams need know only one form: `do not` is `don't`. */
  pair(first: number, second: number): string | undefined {
    return this.pairs.get(keyOf(first, second));
  }
}

export const contractions: () => Contractions = /* @__PURE__ */ once(() => new Contractions());

/** The one spelling of a word. */
export function spelled(word: string): string {
  return spellings().get(word) ?? word;
}

/** There are fewer than a hundred words. */
function keyOf(first: number, second: number): number {
  return first * 100 + second;
}
