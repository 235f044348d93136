import type { Lexicon } from './lexicon.js';
import { KIND, type Tokens } from './tokens.js';

/** The id of each token in a lexicon, 0 for those that it does not know. */
export function idsOf(tokens: Tokens, lexicon: Lexicon): number[] {
  const { texts, kinds } = tokens;
  const { ids } = lexicon;
  const isEnglish = lexicon.language === 'en';
  const list = new Array<number>(texts.length);
  for (let index = 0; index < texts.length; index += 1) {
    const text = texts[index] as string;
    let id = ids.get(text) ?? 0;
    if (id === 0 && kinds[index] === KIND.word) id = idOfVariant(text, ids) || (isEnglish ? 0 : idOfInflection(text, lexicon));
    list[index] = id;
  }
  return list;
}

const GERMANIC_ENDINGS = ['sten', 'ster', 'stes', 'ste', 'en', 'er', 'es', 'em', 'e', 'n', 's', 't'] as const;
const SUPERLATIVE = /[ií]ssim[oaie]s?$|ísim[oa]s?$/;
const ROMANCE_ENDING = /[oaei]s?$|s$/;

/** Looks an inflected word up by its stem; only words with a value of two or more may be found that way. */
function idOfInflection(text: string, { language, ids, values }: Lexicon): number {
  if (text.length < 5 || text.length > 24) return 0;
  const strong = (word: string): number => {
    const id = ids.get(word) ?? 0;
    return Math.abs(values[id] ?? 0) >= 2 ? id : 0;
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

const APOSTROPHE = 39;

/** Looks a word up without its elided article (`l'erreur`) or its drawn-out letters (`sooo`). */
function idOfVariant(text: string, ids: ReadonlyMap<string, number>): number {
  const { length } = text;
  let apostrophe = -1;
  let before = 0;
  let run = 1;
  let longestRun = 1;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === APOSTROPHE && apostrophe === -1) apostrophe = at;
    run = code === before ? run + 1 : 1;
    if (run > longestRun) longestRun = run;
    before = code;
  }
  if (apostrophe > 0) {
    const stem = text.endsWith("'s") ? text.slice(0, -2) : apostrophe <= 4 ? text.slice(apostrophe + 1) : '';
    const id = stem === '' ? undefined : ids.get(stem);
    if (id !== undefined) return id;
  }
  if (longestRun < 3 || length < 4 || length >= 40) return 0;
  return ids.get(text.replace(/(.)\1{2,}/g, '$1$1')) ?? ids.get(text.replace(/(.)\1{2,}/g, '$1')) ?? 0;
}
