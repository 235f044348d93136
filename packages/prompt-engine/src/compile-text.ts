import { checkPattern, isPattern, type TextCriteria } from '@x/core';
import { foldCase, foldWords, type MatchContext, type ScannedTexts } from './match-context.js';

/** Words to look for, and how their element sticks and rests. */
export interface TextTest {
  readonly path: string;
  /** Turns, all three. */
  readonly sticky: number;
  readonly cooldown: number;
  readonly delay: number;
  /** 0 to 1. */
  readonly probability: number;
  readonly occurs: (context: MatchContext) => boolean;
}

/** Messages that a text criterion searches, the input included. */
export const DEFAULT_SCAN_DEPTH = 4;
/** Of each message a pattern sees the last 2,000 characters, so that the square of the length stays small. */
export const PATTERN_WINDOW_CHARS = 2000;

/** Reads a text criterion that has no faults. */
export function compileText(
  {
    keys,
    secondaryKeys,
    wholeWord = true,
    caseSensitive = false,
    scanDepth = DEFAULT_SCAN_DEPTH,
    sticky = 0,
    cooldown = 0,
    delay = 0,
    probability = 1,
  }: TextCriteria,
  path: string,
): TextTest {
  const findersFor = (words: readonly string[]) => words.map((word) => createFinder(word, wholeWord, caseSensitive));
  const first = findersFor(keys);
  const second = secondaryKeys && findersFor(secondaryKeys);
  const found = (list: readonly Finder[], context: MatchContext): boolean => {
    const texts = context.scanned(scanDepth);
    return list.some(({ searches, occursIn }) => texts[searches].some(occursIn));
  };
  const occurs = (context: MatchContext): boolean => found(first, context) && (second === undefined || found(second, context));
  return { path, sticky, cooldown, delay, probability, occurs };
}

interface Finder {
  readonly searches: keyof ScannedTexts;
  readonly occursIn: (text: string) => boolean;
}

function createFinder(key: string, wholeWord: boolean, caseSensitive: boolean): Finder {
  const read = isPattern(key) ? checkPattern(key) : undefined;
  if (read && 'pattern' in read) return { searches: 'plain', occursIn: (text) => read.pattern.test(text.slice(-PATTERN_WINDOW_CHARS)) };
  const normal = foldWords(key).trim();
  const word = caseSensitive ? normal : foldCase(normal);
  if (word === '') return { searches: 'words', occursIn: () => false };
  return {
    searches: caseSensitive ? 'words' : 'lower',
    occursIn: wholeWord ? (text) => hasWord(text, word) : (text) => text.includes(word),
  };
}

const WORD_CHAR = /[\p{L}\p{N}\p{M}_]/u;
// Scripts that put no spaces between words: there every place is a border.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** A Korean word of two syllables and more: a single one may begin any other word. */
const KOREAN = /[가-힣]{2}$/;
/** What Korean writes onto a word without a blank, to the end of what is written together. */
const PARTICLES =
  /^(?:들|님|씨)?(?:에게서?|에서?|께서?|한테서?|으?로서?|부터|까지|하고|이?랑|처럼|보다|마다|조차|마저|밖에|대로|뿐|이?나|이?든지|이?라[고는도면]?|이?란|이?야|이?여|[아의]|이?다|이에요|예요|입니다|이?었[다어]|였[다어]|이?지만|이고|인)?(?:[은는이가을를과와도만요]|까지|부터)?(?![\p{L}\p{N}\p{M}_])/u;

function hasWord(text: string, word: string): boolean {
  const takesParticles = KOREAN.test(word);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    if (isBorder(text, at) && (isBorder(text, end) || (takesParticles && PARTICLES.test(text.slice(end, end + 12))))) return true;
  }
  return false;
}

/** True when no word runs across this place in the text. */
function isBorder(text: string, at: number): boolean {
  const after = at < text.length ? String.fromCodePoint(text.codePointAt(at)!) : '';
  const low = text.charCodeAt(at - 1);
  const before = at === 0 ? '' : low >= 0xdc00 && low <= 0xdfff && at > 1 ? text.slice(at - 2, at) : text[at - 1]!;
  if (!WORD_CHAR.test(before) || !WORD_CHAR.test(after)) return true;
  return UNSPACED.test(before) || UNSPACED.test(after);
}
