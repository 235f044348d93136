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

const OTHERS: CharSet = 1n << 128n;
const ALL: CharSet = (OTHERS << 1n) - 1n;
const DIGITS = range(48, 57);
const LOWER = range(97, 122);
const UPPER = range(65, 90);
const WORD = DIGITS | LOWER | UPPER | bit(95);
const SPACE = range(9, 13) | bit(32) | OTHERS;
const CLASSES: { readonly [letter: string]: CharSet } = { d: DIGITS, D: ALL ^ DIGITS, w: WORD, W: ALL ^ WORD, s: SPACE, S: ALL };
const CONTROLS: { readonly [letter: string]: number } = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 };

/**
 * Reads a pattern that `RegExp` accepts.
 *
 * @returns Its structure, or the reason why it is not judged: lookaround and back references are not.
 */
export function parsePattern(source: string, flags: string): PatternNode | string {
  const ignoreCase = flags.includes('i');
  let at = 0;
  let refusal: string | undefined;

  const choice = (): PatternNode => {
    const branches = [sequence()];
    while (source[at] === '|') {
      at += 1;
      branches.push(sequence());
    }
    return branches.length === 1 ? branches[0]! : { kind: 'choice', branches };
  };
  const sequence = (): PatternNode => {
    const items: PatternNode[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') items.push(quantified(atom()));
    return items.length === 1 ? items[0]! : { kind: 'sequence', items };
  };
  const quantified = (item: PatternNode): PatternNode => {
    const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at));
    if (!found) return item;
    at += found[0].length;
    const [text, low = '0', comma, high] = found;
    if (text[0] === '*') return { kind: 'repeat', item, min: 0, max: Number.POSITIVE_INFINITY };
    if (text[0] === '+') return { kind: 'repeat', item, min: 1, max: Number.POSITIVE_INFINITY };
    if (text[0] === '?') return { kind: 'repeat', item, min: 0, max: 1 };
    const max = high ? Number(high) : comma ? Number.POSITIVE_INFINITY : Number(low);
    return { kind: 'repeat', item, min: Number(low), max };
  };
  const atom = (): PatternNode => {
    const char = source[at]!;
    at += 1;
    if (char === '(') return group();
    if (char === '[') return { kind: 'chars', set: characterClass() };
    if (char === '^' || char === '$') return { kind: 'empty' };
    if (char === '.') return { kind: 'chars', set: flags.includes('s') ? ALL : ALL ^ (bit(10) | bit(13)) };
    if (char !== '\\') return { kind: 'chars', set: fold(literal(char)) };
    const letter = source[at]!;
    if (letter === 'b' || letter === 'B') {
      at += 1;
      return { kind: 'empty' };
    }
    if (letter === 'k' || (letter >= '1' && letter <= '9')) refusal = 'refers back to a group';
    return { kind: 'chars', set: escaped() };
  };
  const group = (): PatternNode => {
    const head = /^\?(?:<?[=!]|:|<[^>]*>|)/.exec(source.slice(at))?.[0] ?? '';
    if (/[=!]$/.test(head)) refusal = 'looks ahead or behind';
    else if (head === '?') refusal = 'changes flags inside the pattern';
    at += head.length;
    const inner = choice();
    at += 1;
    return inner;
  };
  const characterClass = (): CharSet => {
    const negated = source[at] === '^';
    if (negated) at += 1;
    let set = 0n;
    while (source[at] !== ']' && at < source.length) {
      const from = classMember();
      if (source[at] === '-' && source[at + 1] !== ']' && from.code !== undefined) {
        at += 1;
        const to = classMember();
        set |= to.code === undefined ? from.set | bit(45) | to.set : range(from.code, to.code);
      } else set |= from.set;
    }
    at += 1;
    // What a class leaves out past ASCII is not known, so its complement keeps the bit of all others.
    return negated ? (ALL ^ fold(set)) | OTHERS : fold(set);
  };
  const classMember = (): { readonly set: CharSet; readonly code?: number } => {
    const char = source[at]!;
    at += 1;
    if (char !== '\\') return { set: literal(char), code: char.charCodeAt(0) };
    const start = at;
    const set = source[at] === 'b' ? bit(8) : escaped();
    if (source[start] === 'b') at += 1;
    const single = set !== 0n && (set & (set - 1n)) === 0n && set !== OTHERS;
    return single ? { set, code: set.toString(2).length - 1 } : { set };
  };
  const escaped = (): CharSet => {
    const letter = source[at]!;
    at += 1;
    if (Object.hasOwn(CLASSES, letter)) return CLASSES[letter]! | (ignoreCase ? OTHERS : 0n);
    if (letter === 'p' || letter === 'P') {
      at += /^\{[^}]*\}/.exec(source.slice(at))?.[0].length ?? 0;
      return ALL;
    }
    const code = /^u\{([\da-f]+)\}|^u([\da-f]{4})|^x([\da-f]{2})/i.exec(letter + source.slice(at));
    if (code) {
      at += code[0].length - 1;
      return fold(fromCode(Number.parseInt(code[1] ?? code[2] ?? code[3]!, 16)));
    }
    if (letter === 'c') {
      at += 1;
      return ALL;
    }
    return Object.hasOwn(CONTROLS, letter) ? bit(CONTROLS[letter]!) : fold(literal(letter));
  };
  const fold = (set: CharSet): CharSet => {
    if (!ignoreCase) return set;
    // Two letters past ASCII fold to k and s, and the others fold among themselves.
    const both = set | ((set & UPPER) << 32n) | ((set & LOWER) >> 32n);
    return both | (both & (bit(107) | bit(115)) ? OTHERS : 0n);
  };

  const root = choice();
  return refusal ?? root;
}

function bit(code: number): CharSet {
  return 1n << BigInt(code);
}

function range(from: number, to: number): CharSet {
  let set = to > 127 ? OTHERS : 0n;
  for (let code = from; code <= Math.min(to, 127); code += 1) set |= bit(code);
  return set;
}

function fromCode(code: number): CharSet {
  return code < 128 ? bit(code) : OTHERS;
}

function literal(char: string): CharSet {
  return fromCode(char.charCodeAt(0));
}
