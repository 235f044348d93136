/**
 * Brings a text into the one form that the rest reads: NFKC, straight apostrophes and quotes, no variation selectors,
 * no skin tones, no zero-width marks. Plain ASCII passes untouched.
 */
export function normalise(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the class is "anything beyond ASCII"
  if (!/[^\x00-\x7f]/.test(text)) return text;
  return text
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u201b\u02bc\u00b4]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u300e\u300f]/g, '"')
    .replace(/[\ufe00-\ufe0f\u200b-\u200d\u2060\ufeff\u00ad]|\ud83c[\udffb-\udfff]/g, '');
}
