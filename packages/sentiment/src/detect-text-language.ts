import type { LanguageGuess } from './language-guess.js';
import { FUNCTION_WORDS } from './lexicon/function-words.js';
import { normalise } from './normalise.js';
import { once } from './once.js';
import { settleLanguage } from './settle-language.js';
import { giveBack, takeTokens } from './spare-tokens.js';
import { addLetters, LANGUAGES } from './telling-letters.js';
import { tokenise } from './tokenise.js';
import { KIND, type Tokens, typedWord, WRITTEN } from './tokens.js';
import { WordTable } from './word-table.js';

const functionWords: () => FunctionWords = /* @__PURE__ */ once(byWord);

const MOST_WORDS = 80;
/** More of a text tells no more of its language. */
const MOST_CHARS = 2000;
/** A frequent word is worth so much to each language that has it, so much shared among them, and this where it is rare; ours. */
const OWN_POINTS = 0.35;
const SHARED_POINTS = 0.65;
const RARE_POINTS = 0.3;

/**
 * Guesses the languages of a text, best first.
 *
 * @returns At least one guess; `und` with confidence 0 when nothing tells.
 */
export function guessLanguages(text: string): readonly LanguageGuess[] {
  const normal = normalise(text);
  const tokens = tokenise(normal.slice(0, MOST_CHARS), takeTokens());
  const guesses = settleLanguage(guessOfTokens(tokens, normal), tokens);
  giveBack(tokens);
  return guesses;
}

/**
 * Guesses the languages of a text that has been split, best first: by script, then by frequent words and by letters that
 * few languages use. Words are taken as they were typed: what English spells `i'm` or `you` may be `im` of German or `u`
 * of Dutch.
 *
 * @param tokens - Only the first 80 are read.
 * @param text - The normalised text; only its first 600 characters are read.
 * @param least - Guesses less likely than this share of the best are left out.
 * @returns At least one guess; `und` with confidence 0 when nothing tells.
 */
export function guessOfTokens(tokens: Tokens, text: string, least = 0): readonly LanguageGuess[] {
  const { kinds, written, hashes, stems, lengths, texts, size } = tokens;
  const points = NO_POINTS.slice();
  const script = addLetters(text, points);
  if (script !== undefined) return [script];
  const table = functionWords();
  let known = 0;
  for (let index = 0; index < size && index < MOST_WORDS; index += 1) {
    if (kinds[index] !== KIND.word) continue;
    let number =
      texts[index] === ''
        ? table.words.find(hashes[index] as number, stems[index] as number, lengths[index] as number)
        : table.words.numberOf(typedWord(tokens, index));
    if (number === 0 && ((written[index] as number) & WRITTEN.apostrophe) !== 0) number = ofElided(table, typedWord(tokens, index));
    if (addWord(points, table, number)) known += 1;
  }
  return ranked(points, known, least);
}

/** The number of what an apostrophe cut short, before it (`l'erreur`) or behind (`who'll`), or 0. */
function ofElided({ words }: FunctionWords, word: string): number {
  const apostrophe = word.indexOf("'");
  return apostrophe === -1 ? 0 : words.numberOf(word.slice(0, apostrophe + 1)) || words.numberOf(word.slice(apostrophe));
}

// A list that has held fractions: a copy of one that has not would be made anew for the first of them.
const NO_POINTS: readonly number[] = /* @__PURE__ */ LANGUAGES.map(() => 0.5).fill(0);

/** Gives points to the languages that have a frequent word; returns whether there are any. */
function addWord(points: number[], { owners, shares, strangers }: FunctionWords, number: number): boolean {
  if (number === 0) return false;
  const worth = shares[number] as number;
  for (const owner of owners[number] as readonly number[]) points[owner] = (points[owner] as number) + worth;
  for (const stranger of strangers[number] as readonly number[]) points[stranger] = (points[stranger] as number) + RARE_POINTS;
  return true;
}

function ranked(points: readonly number[], known: number, least: number): readonly LanguageGuess[] {
  let total = 0;
  let most = 0;
  for (let index = 0; index < points.length; index += 1) {
    const value = points[index] as number;
    total += value;
    if (value > most) most = value;
  }
  if (total === 0) return [{ language: 'und', confidence: 0 }];
  const trust = 1 - 1 / (1 + (known + 1) * 0.75);
  const guesses: LanguageGuess[] = [];
  for (let index = 0; index < LANGUAGES.length; index += 1) {
    const value = points[index] as number;
    if (value > 0 && value >= least * most) insert(guesses, { language: LANGUAGES[index] as string, confidence: (value / total) * trust });
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
  return guessLanguages(text)[0] ?? { language: 'und', confidence: 0 };
}

/** Frequent words; by their number the languages that have them, and what a word is worth to each of these. */
interface FunctionWords {
  readonly words: WordTable;
  readonly owners: readonly (readonly number[])[];
  readonly shares: readonly number[];
  /** Languages in which the word is rare. */
  readonly strangers: readonly (readonly number[])[];
}

function byWord(): FunctionWords {
  const words = new Map<string, { readonly owners: number[]; readonly strangers: number[] }>();
  const entry = (word: string): { readonly owners: number[]; readonly strangers: number[] } => {
    const known = words.get(word) ?? { owners: [], strangers: [] };
    words.set(word, known);
    return known;
  };
  LANGUAGES.forEach((language, index) => {
    const [frequent = '', rare] = (FUNCTION_WORDS[language] ?? '').split(' | ');
    for (const word of new Set(frequent.split(' '))) entry(word).owners.push(index);
    for (const word of rare?.split(' ') ?? []) entry(word).strangers.push(index);
  });
  const entries = [{ owners: [], strangers: [] }, ...words.values()];
  return {
    words: new WordTable(words),
    owners: entries.map(({ owners }) => owners),
    shares: entries.map(({ owners }) => OWN_POINTS + SHARED_POINTS / Math.max(1, owners.length)),
    strangers: entries.map(({ strangers }) => strangers),
  };
}
