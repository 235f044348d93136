import { FUNCTION_WORDS } from './lexicon/function-words.js';
import { normalise } from './normalise.js';
import { once } from './once.js';
import { tokenise } from './tokenise.js';
import { KIND, type Tokens, typedWord } from './tokens.js';
import { WordTable } from './word-table.js';

/** A guess at the language of a text. */
export interface LanguageGuess {
  /** BCP 47, or `und`. */
  readonly language: string;
  /** 0 to 1. */
  readonly confidence: number;
}

const LANGUAGES: readonly string[] = /* @__PURE__ */ Object.keys(FUNCTION_WORDS);
const functionWords: () => FunctionWords = /* @__PURE__ */ once(byWord);

/** Letters that one language, or few, write. */
const LETTERS: ReadonlyMap<string, readonly string[]> = /* @__PURE__ */ new Map([
  ['ñ', ['es']],
  ['¿', ['es']],
  ['¡', ['es']],
  ['ã', ['pt']],
  ['õ', ['pt']],
  ['ß', ['de']],
  ['ä', ['de', 'sv', 'fi']],
  ['ö', ['de', 'sv', 'tr', 'hu', 'fi']],
  ['ü', ['de', 'tr', 'hu']],
  ['ç', ['fr', 'pt', 'tr']],
  ['ê', ['fr', 'pt']],
  ['è', ['fr', 'it']],
  ['à', ['fr', 'it', 'pt']],
  ['ù', ['fr', 'it']],
  ['ò', ['it']],
  ['ì', ['it']],
  ['œ', ['fr']],
  ['û', ['fr']],
  ['î', ['fr', 'ro']],
  ['å', ['sv', 'da', 'no']],
  ['ø', ['da', 'no']],
  ['æ', ['da', 'no']],
  ['ł', ['pl']],
  ['ą', ['pl']],
  ['ę', ['pl']],
  ['ż', ['pl']],
  ['ś', ['pl']],
  ['ğ', ['tr']],
  ['ş', ['tr']],
  ['ı', ['tr']],
  ['ț', ['ro']],
  ['ș', ['ro']],
  ['ă', ['ro', 'vi']],
  ['ř', ['cs']],
  ['ě', ['cs']],
  ['ů', ['cs']],
  ['ő', ['hu']],
  ['ű', ['hu']],
  ['đ', ['vi']],
  ['ơ', ['vi']],
  ['ư', ['vi']],
]);

/** Scripts that settle the matter; the range is inclusive. Han alone is Chinese, with kana Japanese. */
const SCRIPTS: readonly (readonly [from: number, to: number, language: string])[] = [
  [0x0370, 0x03ff, 'el'],
  [0x0400, 0x052f, 'ru'],
  [0x0590, 0x05ff, 'he'],
  [0x0600, 0x06ff, 'ar'],
  [0x0900, 0x097f, 'hi'],
  [0x0980, 0x09ff, 'bn'],
  [0x0e00, 0x0e7f, 'th'],
  [0x1100, 0x11ff, 'ko'],
  [0x3040, 0x30ff, 'ja'],
  [0x3400, 0x9fff, 'zh'],
  [0xac00, 0xd7af, 'ko'],
];
/** Letters of Ukrainian that Russian has not, and the other way round. */
const UKRAINIAN = /[іїєґ]/i;
const RUSSIAN = /[ыэёъ]/i;
const MOST_WORDS = 80;

/**
 * Guesses the languages of a text, best first: by script, then by frequent words and by letters that few languages use.
 *
 * @param words - The text's words in lower case, in order; only the first 80 are read.
 * @param text - The normalised text; only its first 600 characters are read.
 * @returns At least one guess; `und` with confidence 0 when nothing tells.
 */
export function guessLanguages(words: readonly string[], text: string): readonly LanguageGuess[] {
  const points = NO_POINTS.slice();
  const script = addLetters(text, points);
  if (script !== undefined) return [script];
  const table = functionWords();
  let known = 0;
  for (let index = 0; index < words.length && index < MOST_WORDS; index += 1)
    if (addWord(points, table, table.words.numberOf(words[index] as string))) known += 1;
  return ranked(points, known);
}

/**
 * As {@link guessLanguages}, of a text that has been split. Words are taken as they were typed: what English spells `i'm`
 * or `you` may be `im` of German or `u` of Dutch.
 */
export function guessOfTokens(tokens: Tokens, text: string): readonly LanguageGuess[] {
  const { kinds, hashes, stems, lengths, texts, size } = tokens;
  const points = NO_POINTS.slice();
  const script = addLetters(text, points);
  if (script !== undefined) return [script];
  const table = functionWords();
  let known = 0;
  for (let index = 0; index < size && index < MOST_WORDS; index += 1) {
    if (kinds[index] !== KIND.word) continue;
    const number =
      texts[index] === ''
        ? table.words.find(hashes[index] as number, stems[index] as number, lengths[index] as number)
        : table.words.numberOf(typedWord(tokens, index));
    if (addWord(points, table, number)) known += 1;
  }
  return ranked(points, known);
}

// A list that has held fractions: a copy of one that has not would be made anew for the first of them.
const NO_POINTS: readonly number[] = /* @__PURE__ */ LANGUAGES.map(() => 0.5).fill(0);

/** Gives points to the languages that have a frequent word; returns whether there are any. */
function addWord(points: number[], { owners, shares }: FunctionWords, number: number): boolean {
  if (number === 0) return false;
  const share = shares[number] as number;
  for (const owner of owners[number] as readonly number[]) points[owner] = (points[owner] as number) + 0.35 + share;
  return true;
}

function ranked(points: readonly number[], known: number): readonly LanguageGuess[] {
  let total = 0;
  for (let index = 0; index < points.length; index += 1) total += points[index] as number;
  if (total === 0) return [{ language: 'und', confidence: 0 }];
  const trust = 1 - 1 / (1 + (known + 1) * 0.75);
  const guesses: LanguageGuess[] = [];
  for (let index = 0; index < LANGUAGES.length; index += 1) {
    const share = (points[index] as number) / total;
    if (share > 0) insert(guesses, { language: LANGUAGES[index] as string, confidence: share * trust });
  }
  return guesses;
}

/** Puts a guess behind those that are as likely. Each text has a few: sorting them would make more garbage than they are. */
function insert(guesses: LanguageGuess[], guess: LanguageGuess): void {
  guesses.push(guess);
  for (let at = guesses.length - 1; at > 0 && (guesses[at - 1] as LanguageGuess).confidence < guess.confidence; at -= 1) {
    guesses[at] = guesses[at - 1] as LanguageGuess;
    guesses[at - 1] = guess;
  }
}

/**
 * The most likely language of a text.
 *
 * @returns `und` with confidence 0 when nothing tells; languages beyond the lexicons are named too.
 * @example detectTextLanguage('Das verstehe ich nicht.').language; // 'de'
 */
export function detectTextLanguage(text: string): LanguageGuess {
  const normal = normalise(text);
  return guessOfTokens(tokenise(normal.slice(0, 2000), false), normal)[0] ?? { language: 'und', confidence: 0 };
}

/** A character beyond those that all languages use. */
const TELLING = /[^\0-\xa0]/;

/** Adds points for telling letters; returns a guess when the script alone settles it. */
function addLetters(whole: string, points: number[]): LanguageGuess | undefined {
  const text = whole.slice(0, 600);
  const { length } = text;
  if (!TELLING.test(text)) return undefined;
  let other = 0;
  let latin = 0;
  let kana = 0;
  const scripts = new Map<string, number>();
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0xa1) {
      if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) latin += 1;
      continue;
    }
    if (code < 0x250 || (code >= 0x1e00 && code <= 0x1eff)) {
      if (code >= 0xc0) latin += 1;
      for (const language of LETTERS.get((text[at] ?? '').toLowerCase()) ?? (code >= 0x1ea0 ? ['vi'] : [])) {
        const index = LANGUAGES.indexOf(language);
        points[index] = (points[index] ?? 0) + 0.6;
      }
      continue;
    }
    const script = SCRIPTS.find(([from, to]) => code >= from && code <= to)?.[2];
    if (script === undefined) continue;
    other += 1;
    if (script === 'ja') kana += 1;
    scripts.set(script, (scripts.get(script) ?? 0) + 1);
  }
  // One Chinese or Japanese character says about as much as two or three Latin letters.
  if (other === 0 || other * 2.5 < latin) return undefined;
  const best = [...scripts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'und';
  const isJapanese = kana > 0 && (best === 'zh' || best === 'ja');
  const isUkrainian = best === 'ru' && UKRAINIAN.test(text) && !RUSSIAN.test(text);
  const language = isJapanese ? 'ja' : isUkrainian ? 'uk' : best;
  return { language, confidence: Math.min(0.99, 0.8 + other * 0.02) };
}

/** Frequent words, and by their number the languages that have them. */
interface FunctionWords {
  readonly words: WordTable;
  readonly owners: readonly (readonly number[])[];
  /** What of a word's points the languages that have it share. */
  readonly shares: readonly number[];
}

function byWord(): FunctionWords {
  const owners = new Map<string, number[]>();
  LANGUAGES.forEach((language, index) => {
    for (const word of new Set(FUNCTION_WORDS[language]?.split(' '))) {
      const known = owners.get(word);
      if (known === undefined) owners.set(word, [index]);
      else known.push(index);
    }
  });
  const lists = [[], ...owners.values()];
  return { words: new WordTable(owners), owners: lists, shares: lists.map(({ length }) => 0.65 * (1 / length)) };
}
