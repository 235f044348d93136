import type { TextCriteria } from '@x/core';
import { checkPattern, isPattern } from './check-pattern.js';
import type { MatchContext } from './match-context.js';
import { checkKeys, isTextList, refuse } from './read-shape.js';

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

const TIMED = ['sticky', 'cooldown', 'delay', 'probability'] as const;
const KNOWN = ['keys', 'secondaryKeys', 'wholeWord', 'caseSensitive', 'scanDepth', ...TIMED];
/** Messages that a text criterion searches, the input included. */
export const DEFAULT_SCAN_DEPTH = 4;
/** Of each message a pattern sees the last 2,000 characters, so that the square of the length stays small. */
export const PATTERN_WINDOW_CHARS = 2000;

/**
 * Reads a text criterion.
 *
 * @param timed - False inside `not` and `anyOf`, where stickiness, rest, delay and chance have no one element to belong to.
 */
export function compileText(criteria: TextCriteria, path: string, timed: boolean): TextTest {
  checkKeys(criteria, KNOWN, path);
  const misplaced = timed ? undefined : TIMED.find((key) => criteria[key] !== undefined);
  if (misplaced !== undefined) {
    refuse(`${path}.${misplaced}`, 'works only in the outermost text criterion of an element');
  }
  for (const flag of ['wholeWord', 'caseSensitive'] as const) {
    if (criteria[flag] !== undefined && typeof criteria[flag] !== 'boolean') {
      refuse(`${path}.${flag}`, 'must be true or false');
    }
  }
  const { wholeWord = true, caseSensitive = false, probability = 1, scanDepth = DEFAULT_SCAN_DEPTH } = criteria;
  if (!(probability >= 0 && probability <= 1)) {
    refuse(`${path}.probability`, 'must be from 0 to 1');
  }
  if (!Number.isInteger(scanDepth) || scanDepth < 1) {
    refuse(`${path}.scanDepth`, 'must be a whole number from 1');
  }
  const turns = (key: 'sticky' | 'cooldown' | 'delay'): number => {
    const value = criteria[key] ?? 0;
    if (Number.isInteger(value) && value >= 0) return value;
    refuse(`${path}.${key}`, 'must be a whole number of turns from 0');
  };
  const finders = (key: 'keys' | 'secondaryKeys'): readonly Finder[] => {
    if (!isTextList(criteria[key])) refuse(`${path}.${key}`, 'must be a list of texts, none blank');
    return criteria[key].map((word, index) => createFinder(word, `${path}.${key}[${index}]`, wholeWord, caseSensitive));
  };
  const keys = finders('keys');
  const secondary = criteria.secondaryKeys === undefined ? undefined : finders('secondaryKeys');
  const found = (list: readonly Finder[], context: MatchContext): boolean => {
    const { plain, lower } = context.scanned(scanDepth);
    return list.some((finder) => (finder.lower ? lower : plain).some(finder.occursIn));
  };
  return {
    path,
    sticky: turns('sticky'),
    cooldown: turns('cooldown'),
    delay: turns('delay'),
    probability,
    occurs: (context) => found(keys, context) && (secondary === undefined || found(secondary, context)),
  };
}

interface Finder {
  /** True when it searches the text in lower case. */
  readonly lower: boolean;
  readonly occursIn: (text: string) => boolean;
}

function createFinder(key: string, path: string, wholeWord: boolean, caseSensitive: boolean): Finder {
  if (isPattern(key)) {
    const pattern = checkPattern(key, path);
    return { lower: false, occursIn: (text) => pattern.test(text.slice(-PATTERN_WINDOW_CHARS)) };
  }
  const normal = key.trim().normalize('NFC');
  const word = caseSensitive ? normal : normal.toLowerCase();
  return { lower: !caseSensitive, occursIn: wholeWord ? (text) => hasWord(text, word) : (text) => text.includes(word) };
}

const WORD_CHAR = /[\p{L}\p{N}\p{M}_]/u;
// Scripts that put no spaces between words: there every place is a border.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (isBorder(text, at) && isBorder(text, at + word.length)) return true;
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
