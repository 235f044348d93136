import { type CharSet, type PatternNode, parsePattern } from './parse-pattern.js';

const MAX_PATTERN_CHARS = 300;
const ALLOWED_FLAGS = /^[imsu]*$/;

/**
 * Compiles a pattern whose matching time stays within the square of the text's length.
 *
 * Refused are: a repetition of what may be empty; inside a repetition, another one of changing length, or a choice
 * whose branches can begin with the same character; two stretches of changing length after each other that can share
 * characters, with nothing between that keeps them apart; lookaround and back references. Some harmless patterns are
 * refused too.
 *
 * @param key - `/pattern/flags`; of the flags only i, m, s and u.
 * @returns The pattern, or why it is refused: the end of a sentence that begins with the key.
 * @remarks The first two rules leave one way through a loop for one text; the third bounds how often the engine can
 * move a border between two loops.
 */
export function checkPattern(key: string): { readonly pattern: RegExp } | { readonly problem: string } {
  const end = key.lastIndexOf('/');
  const source = key.slice(1, end);
  const flags = key.slice(end + 1);
  if (source.length > MAX_PATTERN_CHARS) return { problem: `is longer than ${MAX_PATTERN_CHARS} characters` };
  if (!ALLOWED_FLAGS.test(flags)) return { problem: 'has a flag other than i, m, s and u' };
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, flags);
  } catch {
    return { problem: 'is no valid regular expression' };
  }
  const tree = parsePattern(source, flags);
  const problem = typeof tree === 'string' ? tree : problemOf(tree);
  return problem === undefined ? { pattern } : { problem };
}

/** True for a key written as `/pattern/flags`. More than one letter after the last slash are flags, or the key is a path. */
export function isPattern(key: string): boolean {
  return key.length > 2 && key.startsWith('/') && /\/(?:[a-z]?|[dgimsuvy]*)$/i.test(key.slice(1));
}

function isLoop(node: PatternNode): node is Extract<PatternNode, { kind: 'repeat' }> {
  return node.kind === 'repeat' && node.max > 1;
}

/** The first fault of a tree. A loop is judged as a whole, with all that is in it. */
function problemOf(node: PatternNode): string | undefined {
  if (isLoop(node)) {
    if (isNullable(node.item)) return 'repeats something that may be empty';
    return varies(node.item) ? 'repeats what can match in two ways' : undefined;
  }
  for (const child of childrenOf(node)) {
    const problem = problemOf(child);
    if (problem !== undefined) return problem;
  }
  return node.kind === 'sequence' ? neighbourProblem(stretchesOf(node)) : undefined;
}

function childrenOf(node: PatternNode): readonly PatternNode[] {
  if (node.kind === 'sequence') return node.items;
  if (node.kind === 'choice') return node.branches;
  return node.kind === 'repeat' ? [node.item] : [];
}

function isNullable(node: PatternNode): boolean {
  if (node.kind === 'chars') return false;
  if (node.kind === 'choice') return node.branches.some(isNullable);
  if (node.kind === 'repeat') return node.min === 0 || isNullable(node.item);
  return childrenOf(node).every(isNullable);
}

/** The characters that a match can begin with. */
function firstOf(node: PatternNode): CharSet {
  if (node.kind === 'chars') return node.set;
  let set = 0n;
  for (const child of childrenOf(node)) {
    set |= firstOf(child);
    if (node.kind === 'sequence' && !isNullable(child)) break;
  }
  return set;
}

function areDisjoint(sets: readonly CharSet[]): boolean {
  return sets.every((set, index) => sets.slice(index + 1).every((other) => !(set & other)));
}

/** A piece of a path through the pattern. */
interface Stretch {
  readonly set: CharSet;
  /** Its length or its way can change without the text before it changing. */
  readonly varies: boolean;
  /** It always takes at least one character. */
  readonly required: boolean;
}

function stretchesOf(node: PatternNode): readonly Stretch[] {
  if (node.kind === 'empty') return [];
  if (node.kind === 'chars') return [{ set: node.set, varies: false, required: true }];
  if (node.kind === 'sequence') return node.items.flatMap(stretchesOf);
  if (node.kind === 'repeat')
    return [{ set: alphabetOf(node), varies: node.max > node.min || varies(node.item), required: !isNullable(node) }];
  const isClear = !node.branches.some(varies) && areDisjoint(node.branches.map(firstOf));
  return [{ set: alphabetOf(node), varies: !isClear || isNullable(node), required: !isNullable(node) }];
}

function varies(node: PatternNode): boolean {
  return stretchesOf(node).some((stretch) => stretch.varies);
}

function alphabetOf(node: PatternNode): CharSet {
  if (node.kind === 'chars') return node.set;
  return childrenOf(node).reduce((set, child) => set | alphabetOf(child), 0n);
}

function neighbourProblem(stretches: readonly Stretch[]): string | undefined {
  const meet = stretches.some((one, from) =>
    stretches.some((other, to) => {
      if (to <= from || !one.varies || !other.varies || !(one.set & other.set)) return false;
      // A character that one of the two cannot take fixes the border between them.
      return !stretches.slice(from + 1, to).some(({ required, set }) => required && (!(set & one.set) || !(set & other.set)));
    }),
  );
  return meet ? 'has two stretches of changing length that can share characters' : undefined;
}
