/** A text in its sentences and lines; bullets and numbers in front of a line are taken away. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/\n+/)
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)]|#+)\s+/, '').trim())
    .flatMap((line) => line.split(/(?<=[.!?…]["'”’)]?)\s+(?=["'“‘(]?[\p{Lu}\d])/u))
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** The words of a text, lower case, without marks. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
}

const SMALL_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after again all also am an and any are as at be because been before being but by can could did do does doing done for from get ' +
    'give go going had has have he her here him his how i if in into is it its just keep know let like make many may me might more most much ' +
    'must my no not now of off ok okay on one only or our out over please put really same see she should so some still such take tell than ' +
    'that the their them then there these they thing things this those to too up us use very want was we well were what when where which while ' +
    "who why will with would yes you your i'm i've don't can't it's that's isn't doesn't won't didn't what's let's"
  ).split(' '),
);

/** The words that carry a text's matter, in order, each once. */
export function contentWordsOf(text: string): readonly string[] {
  return [...new Set(wordsOf(text).filter((word) => word.length > 2 && !SMALL_WORDS.has(word)))];
}

/** Share of the smaller set of content words that both texts have, 0 to 1. */
export function overlapOf(first: string, second: string): number {
  const a = new Set(contentWordsOf(first).map(stemOf));
  const b = new Set(contentWordsOf(second).map(stemOf));
  if (a.size === 0 || b.size === 0) return 0;
  return [...a].filter((word) => b.has(word)).length / Math.min(a.size, b.size);
}

/** A word without the endings of plural and tense; rough, for comparing. */
export function stemOf(word: string): string {
  return word.length > 4 ? word.replace(/(?:ies|ied)$/, 'y').replace(/(?:ing|edly|ed|es|s|ly)$/, '') : word;
}

/** A number that depends on a text alone, for choosing between equal wordings. FNV-1a. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** One of several wordings, always the same for the same text. */
export function pick<T>(choices: readonly [T, ...T[]], text: string): T {
  return choices[hashOf(text) % choices.length] ?? choices[0];
}

/** The text with a capital letter in front. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** At most so many characters, cut at a word. */
export function shortened(text: string, maxChars: number): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  if (flat.length <= maxChars) return flat;
  const cut = flat.slice(0, maxChars - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), maxChars >> 1)).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
