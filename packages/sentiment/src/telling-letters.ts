import type { LanguageGuess } from './language-guess.js';
import { FUNCTION_WORDS } from './lexicon/function-words.js';

/** The languages that a guess may name by letters or words; points are counted in this order. */
export const LANGUAGES: readonly string[] = /* @__PURE__ */ Object.keys(FUNCTION_WORDS);

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

/** What a letter of one language is worth, one of few, and one of {@link COMMON_LETTERS}; ours. */
const OWN_POINTS = 1;
const TELLING_POINTS = 0.6;
const COMMON_POINTS = 0.3;

/** Letters of many languages: they tell that a text is no plain English, hardly more. English has them in loan words. */
const COMMON_LETTERS: ReadonlyMap<string, readonly string[]> = /* @__PURE__ */ new Map([
  ['é', ['fr', 'es', 'pt', 'it', 'hu', 'cs', 'en']],
  ['á', ['es', 'pt', 'hu', 'cs']],
  ['í', ['es', 'pt', 'hu', 'cs']],
  ['ó', ['es', 'pt', 'hu', 'pl']],
  ['ú', ['es', 'pt', 'hu', 'cs']],
  ['â', ['fr', 'pt', 'ro', 'vi']],
  ['ô', ['fr', 'pt', 'vi']],
  ['ë', ['nl', 'fr']],
  ['ï', ['nl', 'fr', 'en']],
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
/** A character beyond those that all languages use. */
const TELLING = /[^\0-\xa0]/;

/**
 * Adds points for telling letters; returns a guess when the script alone settles it.
 *
 * @param whole - Only its first 600 characters are read.
 * @param points - By language, in the order of {@link LANGUAGES}.
 */
export function addLetters(whole: string, points: number[]): LanguageGuess | undefined {
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
      const letter = (text[at] ?? '').toLowerCase();
      const languages = LETTERS.get(letter) ?? (code >= 0x1ea0 ? ['vi'] : []);
      add(points, languages, languages.length === 1 ? OWN_POINTS : TELLING_POINTS);
      add(points, COMMON_LETTERS.get(letter) ?? [], COMMON_POINTS);
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

function add(points: number[], languages: readonly string[], worth: number): void {
  for (const language of languages) {
    const index = LANGUAGES.indexOf(language);
    points[index] = (points[index] ?? 0) + worth;
  }
}
