/** A word between blanks: where it is and what it is made of. */
export interface Token {
  readonly start: number;
  readonly end: number;
  readonly digits: number;
  readonly letters: number;
  readonly capitals: number;
  readonly capitalFirst: boolean;
  /** One of the signs that addresses, paths and names in code have. */
  readonly signs: boolean;
}

/** The words of a text between two positions. */
export function tokensOf(text: string, from: number, to: number): readonly Token[] {
  const tokens: Token[] = [];
  let index = from;
  while (index < to) {
    let code = text.charCodeAt(index);
    if (isGap(code)) {
      index += 1;
      continue;
    }
    // An opening bracket is no part of the word, except in front of a telephone's area code.
    if (
      (code === 40 || code === 91 || code === 123 || code === 60 || code === 124) &&
      !(code === 40 && isDigit(text.charCodeAt(index + 1)))
    ) {
      index += 1;
      continue;
    }
    const start = index;
    let digits = 0;
    let letters = 0;
    let capitals = 0;
    let signs = false;
    let capitalFirst = false;
    for (; index < to; index += 1) {
      code = text.charCodeAt(index);
      if (code >= 97 && code <= 122) letters += 1;
      else if (code >= 48 && code <= 57) digits += 1;
      else if (code >= 65 && code <= 90) {
        letters += 1;
        capitals += 1;
        if (letters === 1) capitalFirst = true;
      } else if (isGap(code)) break;
      else if (isOtherDigit(code)) digits += 1;
      else if (code > 127) {
        const letter = text[index]!;
        if (letter.toLowerCase() !== letter) {
          capitals += 1;
          if (letters === 0) capitalFirst = true;
        }
        letters += 1;
      } else if (code === 64 || code === 47 || code === 92 || code === 95 || code === 61 || code === 35 || code === 58) signs = true;
      else if (code === 46 && index + 1 < to && !isGap(text.charCodeAt(index + 1))) signs = true;
    }
    tokens.push({ start, end: index, digits, letters, capitals, capitalFirst, signs });
  }
  return tokens;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Arabic and Persian, Indic, Thai, and those of full width. */
function isOtherDigit(code: number): boolean {
  if (code < 0x660) return false;
  if (code >= 0xff10) return code <= 0xff19;
  if (code < 0x900) return code <= 0x669 || (code >= 0x6f0 && code <= 0x6f9);
  return (code < 0xe00 && (code & 0x7f) >= 0x66 && (code & 0x7f) <= 0x6f) || (code >= 0xe50 && code <= 0xe59);
}

/** Blanks, and the signs after which Chinese and Japanese sentences go on without one. */
function isGap(code: number): boolean {
  return code <= 32 || code === 0xa0 || (code >= 0x3000 && code <= 0x3002) || code === 0xff0c || code === 0xff1a;
}
