/**
 * A set of characters: one bit for each of the 128 of ASCII, and one for all others together. Sets that hold any
 * character past ASCII count as overlapping, which errs on the safe side.
 */
export type CharSet = bigint;

/** The structure of a regular expression, as far as its backtracking depends on it. */
export type PatternNode =
  | { readonly kind: 'chars'; readonly set: CharSet }
  /** An anchor or the empty pattern. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly item: PatternNode; readonly min: number; readonly max: number };

// Escapes, classes, heads of groups, quantifiers, and any other character.
const TOKEN =
  /\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[pP]\{[^}]*\}|k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|:|<[^>]*>|)|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[\s\S]/giu;
/** Tokens that can stand for characters past ASCII: complements, classes that reach there, such characters themselves. */
const REACHES_FURTHER = /[^\0-\x7f]|\\[sSWDpPuxc]|^\[\^|^\.$/;

/**
 * Reads a pattern that `RegExp` accepts.
 *
 * @returns Its structure, or the reason why it is not judged: lookaround and back references are not.
 */
export function parsePattern(source: string, flags: string): PatternNode | string {
  const tokens = source.match(TOKEN) ?? [];
  // Without the flag u, `\u{2}` is the letter u, twice.
  if (!flags.includes('u') && /\\[pu]\{/i.test(source)) return 'needs the flag u for what it escapes';
  const refused = tokens.find((token) => /^\\(?:k|[1-9])|^\(\?(?:<?[=!]|$)/.test(token));
  if (refused !== undefined) return refused.startsWith('\\') ? 'refers back to a group' : 'looks ahead or behind';
  let at = 0;

  const choice = (): PatternNode => {
    const branches = [sequence()];
    while (tokens[at] === '|') {
      at += 1;
      branches.push(sequence());
    }
    return branches.length === 1 ? branches[0]! : { kind: 'choice', branches };
  };
  const sequence = (): PatternNode => {
    const items: PatternNode[] = [];
    while (at < tokens.length && tokens[at] !== '|' && tokens[at] !== ')') items.push(quantified(atom()));
    return items.length === 1 ? items[0]! : { kind: 'sequence', items };
  };
  const quantified = (item: PatternNode): PatternNode => {
    const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})/.exec(tokens[at] ?? '');
    if (!found) return item;
    at += 1;
    const [, sign, low, comma, high] = found;
    if (sign) return { kind: 'repeat', item, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    return { kind: 'repeat', item, min: Number(low), max: high ? Number(high) : comma ? Infinity : Number(low) };
  };
  const atom = (): PatternNode => {
    const token = tokens[at]!;
    at += 1;
    if (token.startsWith('(')) {
      const inner = choice();
      at += 1;
      return inner;
    }
    return /^(?:[$^]|\\[bB])$/.test(token) ? { kind: 'empty' } : { kind: 'chars', set: charsOf(token, flags) };
  };
  return choice();
}

/** The characters that a token stands for: the expression itself is asked, one by one. */
function charsOf(token: string, flags: string): CharSet {
  const expression = new RegExp(`^(?:${token})$`, flags.replace('m', ''));
  // With both flags some letters past ASCII equal letters of ASCII.
  let set = REACHES_FURTHER.test(token) || (flags.includes('i') && flags.includes('u')) ? 1n << 128n : 0n;
  for (let code = 0; code < 128; code += 1) if (expression.test(String.fromCharCode(code))) set |= 1n << BigInt(code);
  return set === 0n ? (1n << 129n) - 1n : set;
}
