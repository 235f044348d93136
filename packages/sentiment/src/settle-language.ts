import type { LanguageGuess } from './language-guess.js';
import { LEXICON_LANGUAGES, lexiconOf } from './lexicon.js';
import { KIND, type Tokens } from './tokens.js';
import { wordValue } from './word-bits.js';

/** In longer texts frequent words tell enough; ours. */
const MOST_WORDS = 6;
/** Guesses this near to the best one are as good as it; ours. */
const NEAR = 0.75;
/** What a settled guess is worth: enough to be read, too little to outweigh what the caller says. */
const SETTLED = 0.5;

/**
 * Settles the language of a few words by what the lexicons know: "no me gusta" has frequent words of four languages, and
 * only one of them knows `gusta`. Words that carry a feeling count double.
 *
 * @param guesses - Best first.
 * @returns The guesses, the settled one in front; unchanged where nothing is to be settled.
 */
export function settleLanguage(guesses: readonly LanguageGuess[], tokens: Tokens): readonly LanguageGuess[] {
  const words = countWords(tokens);
  const [best] = guesses;
  if (best === undefined || words === 0 || words > MOST_WORDS) return guesses;
  const isOpen = best.confidence === 0;
  const near = isOpen
    ? LEXICON_LANGUAGES
    : guesses.filter(({ confidence }) => confidence >= best.confidence * NEAR).map(({ language }) => language);
  const points = near.map((language) => knownIn(language, tokens, isOpen));
  const most = Math.max(...points);
  const winner = near[points.indexOf(most)];
  if (winner === undefined || most <= 0 || points.lastIndexOf(most) !== points.indexOf(most)) return guesses;
  if (near.length === 1 && most < words) return guesses;
  return [{ language: winner, confidence: Math.max(SETTLED, best.confidence) }, ...guesses.filter(({ language }) => language !== winner)];
}

/** How many words there are, or one more than {@link MOST_WORDS}. */
function countWords({ kinds, size }: Tokens): number {
  let words = 0;
  for (let index = 0; index < size && words <= MOST_WORDS; index += 1) if (kinds[index] === KIND.word) words += 1;
  return words;
}

function knownIn(language: string, { kinds, hashes, stems, lengths, size }: Tokens, isStrict: boolean): number {
  const lexicon = lexiconOf(language);
  if (lexicon === undefined) return 0;
  let points = 0;
  for (let index = 0; index < size; index += 1) {
    if (kinds[index] !== KIND.word) continue;
    const id = lexicon.ids.find(hashes[index] as number, stems[index] as number, lengths[index] as number);
    if (id !== 0) points += wordValue(lexicon.words[id] as number) === 0 ? 1 : 2;
    else if (isStrict) points -= 2;
  }
  return points;
}
