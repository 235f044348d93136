/** Classes of characters; `MASK` is a character of `MASKS`. */
export const OTHER = 0;
export const LETTER = 1;
export const DIGIT = 2;
export const SPACE = 3;
export const CJK = 4;
export const EMOJI = 5;
export const MASK = 6;

const ASCII: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 32) return SPACE;
  if (code >= 48 && code <= 57) return DIGIT;
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) ? LETTER : OTHER;
});

/** The class of a UTF-16 unit; a lead surrogate stands for its plane: emoji, or Han from U+20000. */
export function classOf(code: number): number {
  return code < 128 ? (ASCII[code] as number) : classBeyondAscii(code);
}

function classBeyondAscii(code: number): number {
  if (code < 0x2000)
    return code < 0xc0
      ? code === 0xaa || code === 0xb5 || code === 0xba
        ? LETTER
        : code === 0xa0
          ? SPACE
          : OTHER
      : code === 0xd7 || code === 0xf7
        ? OTHER
        : LETTER;
  if (code < 0x2c00)
    return code >= 0x2600 || (code >= 0x2300 && code <= 0x23ff) || (code >= 0x2190 && code <= 0x21ff)
      ? EMOJI
      : code <= 0x200a || code === 0x2028 || code === 0x2029
        ? SPACE
        : OTHER;
  if (code < 0x3040) return code < 0x2e00 ? LETTER : code === 0x3000 ? SPACE : code === 0x3005 ? CJK : OTHER;
  if (code <= 0x30ff) return code === 0x30fb ? OTHER : CJK;
  if (code < 0x3400) return OTHER;
  if (code <= 0x9fff) return CJK;
  if (code < 0xd800) return LETTER;
  if (code <= 0xdbff) return code >= 0xd840 && code <= 0xd8ff ? CJK : EMOJI;
  if (code >= 0xe000 && code <= 0xe004) return MASK;
  return code >= 0xf900 && code <= 0xfaff ? CJK : OTHER;
}

/**
 * The end of a word that starts here, inner apostrophes included.
 *
 * @remarks Here and wherever characters are walked a length is read once: engines keep strings in many forms, and once
 * they have seen them all, each reading is a look-up of several nanoseconds.
 */
export function wordEnd(lower: string, start: number): number {
  const { length } = lower;
  let at = start + 1;
  for (; at < length; at += 1) {
    const code = lower.charCodeAt(at);
    if (code >= 97 && code <= 122) continue; // nearly all of most texts
    const type = classOf(code);
    if (type === LETTER || type === DIGIT) continue;
    const isInnerApostrophe = code === 39 && at + 1 < length && classOf(lower.charCodeAt(at + 1)) === LETTER;
    if (!isInnerApostrophe) break;
  }
  return at;
}
