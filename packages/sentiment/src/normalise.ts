/** A grave accent typed for an apostrophe, as in "isn`t"; code spans open or close at a word's edge instead. */
const TYPED_APOSTROPHE = /([a-z])`(t|s|m|re|ve|ll|d)(?![\p{L}`])/giu;

/** A capital, or a character beyond ASCII. */
const MORE_THAN_PLAIN = /[A-Z\x80-\uffff]/;

/** Whether a text is as it will be when normalised and lowered, but for an apostrophe; then a look saves several walks. */
export function isPlain(text: string): boolean {
  return !MORE_THAN_PLAIN.test(text);
}

/**
 * Brings a text into the one form that the rest reads: NFKC, straight apostrophes and quotes, no variation selectors,
 * no skin tones, no zero-width marks. Plain ASCII passes untouched, but for an apostrophe typed as a grave accent.
 */
export function normalise(text: string, plain: boolean = isPlain(text)): string {
  if (plain) return straight(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the class is "anything beyond ASCII"
  if (!/[^\x00-\x7f]/.test(text)) return straight(text);
  return withoutBlanks(straight(text).normalize('NFKC'))
    .replace(/[\u2018\u2019\u201a\u201b\u02bc\u00b4]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u300e\u300f]/g, '"')
    .replace(/[\ufe00-\ufe0f\u200b-\u200d\u2060\ufeff\u00ad]|\ud83c[\udffb-\udfff]/g, '');
}

/** French sets blanks inside its marks. Each run of blanks is tried once, which takes time: so only where there are marks. */
function withoutBlanks(text: string): string {
  return /[\u00ab\u00bb\u2039\u203a]/.test(text) ? text.replace(/[\u00ab\u2039]\s+|(?<!\s)\s+[\u00bb\u203a]/g, '"') : text;
}

function straight(text: string): string {
  return text.includes('`') ? text.replace(TYPED_APOSTROPHE, "$1'$2") : text;
}
