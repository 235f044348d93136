import type { Lexicon } from './lexicon.js';
import { KIND, type Tokens, textOf, WRITTEN } from './tokens.js';
import { wordValue } from './word-bits.js';
import type { WordTable } from './word-table.js';

/** Beyond the last token stand so many zeros, so that who looks ahead need not ask for the end. */
export const AHEAD = 4;

/**
 * The id of each token in a lexicon, 0 for those that it does not know and for {@link AHEAD} more.
 *
 * @param which - The lexicon's place among those that the text is read in; each has its list in `tokens.ids`.
 */
export function idsOf(tokens: Tokens, lexicon: Lexicon, which: number): Int32Array {
  const { size, kinds, hashes, stems, lengths } = tokens;
  const { ids } = lexicon;
  const isEnglish = lexicon.language === 'en';
  let list = tokens.ids[which];
  if (list === undefined || list.length < size + AHEAD) {
    list = new Int32Array(kinds.length + AHEAD);
    tokens.ids[which] = list;
  }
  list.fill(0, size, size + AHEAD);
  for (let index = 0; index < size; index += 1) {
    if (kinds[index] === KIND.word) {
      const id = ids.find(hashes[index] as number, stems[index] as number, lengths[index] as number);
      list[index] = id || idOfVariant(tokens, index, ids) || (isEnglish ? 0 : idOfInflection(textOf(tokens, index), lexicon));
    } else list[index] = ids.numberOf(textOf(tokens, index));
  }
  return list;
}

const GERMANIC_ENDINGS = ['sten', 'ster', 'stes', 'ste', 'en', 'er', 'es', 'em', 'e', 'n', 's', 't'] as const;
const SUPERLATIVE = /[ií]ssim[oaie]s?$|ísim[oa]s?$/;
const ROMANCE_ENDING = /[oaei]s?$|s$/;

/** Looks an inflected word up by its stem; only words with a value of two or more may be found that way. */
function idOfInflection(text: string, { language, ids, words }: Lexicon): number {
  if (text.length < 5 || text.length > 24) return 0;
  const strong = (word: string): number => {
    const id = ids.numberOf(word);
    return Math.abs(wordValue(words[id] as number)) >= 2 ? id : 0;
  };
  if (language === 'de' || language === 'nl') {
    for (const ending of GERMANIC_ENDINGS) {
      if (!text.endsWith(ending)) continue;
      const stem = text.slice(0, -ending.length);
      const id = strong(stem) || strong(`${stem}e`);
      if (id !== 0) return id;
    }
    return 0;
  }
  const stem = text.replace(SUPERLATIVE, 'o').replace(ROMANCE_ENDING, '');
  return strong(stem) || strong(`${stem}o`) || strong(`${stem}a`) || strong(`${stem}e`);
}

/** Looks a word up without its elided article (`l'erreur`) or its drawn-out letters (`sooo`). */
function idOfVariant(tokens: Tokens, index: number, ids: WordTable): number {
  const hasApostrophe = ((tokens.written[index] as number) & WRITTEN.apostrophe) !== 0;
  const stem = hasApostrophe ? withoutArticle(textOf(tokens, index)) : '';
  const id = stem === '' ? 0 : ids.numberOf(stem);
  return id === 0 && isDrawnOut(tokens, index) ? idOfShortened(textOf(tokens, index), ids) : id;
}

/** The word without its article, or before its `'s`; empty where there is nothing to take off. */
function withoutArticle(text: string): string {
  if (text.endsWith("'s")) return text.slice(0, -2);
  const apostrophe = text.indexOf("'");
  return apostrophe <= LONGEST_ARTICLE ? text.slice(apostrophe + 1) : '';
}

const LONGEST_ARTICLE = 4;
const DRAWN_OUT = { shortest: 4, longest: 39, run: 3 } as const;

/** Whether a letter stands three times in a row, told without cutting the word out: few words are drawn out. */
function isDrawnOut({ source, texts, starts, lengths }: Tokens, index: number): boolean {
  const length = lengths[index] as number;
  if (length < DRAWN_OUT.shortest || length > DRAWN_OUT.longest) return false;
  const own = texts[index] as string;
  const text = own === '' ? source : own;
  const start = own === '' ? (starts[index] as number) : 0;
  let before = 0;
  let run = 1;
  for (let at = start; at < start + length; at += 1) {
    const code = text.charCodeAt(at);
    run = code === before ? run + 1 : 1;
    if (run === DRAWN_OUT.run) return true;
    before = code;
  }
  return false;
}

function idOfShortened(text: string, ids: WordTable): number {
  return ids.numberOf(text.replace(/(.)\1{2,}/g, '$1$1')) || ids.numberOf(text.replace(/(.)\1{2,}/g, '$1'));
}
