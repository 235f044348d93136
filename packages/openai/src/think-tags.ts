/** A piece of text, and whether it is reasoning. */
export interface Piece {
  readonly kind: 'text' | 'reasoning';
  readonly text: string;
}

export interface TagSplitter {
  push(text: string): readonly Piece[];
  end(): readonly Piece[];
}

const OPENING = /^\s*<(?:think|thinking|thought|reasoning)>/;
const OPENING_START = /^\s*(?:<[a-z]*)?$/;
const CLOSING = /<\/(?:think|thinking|thought|reasoning)>/;
const LONGEST_CLOSING = '</reasoning>'.length;

/**
 * Parts reasoning from text where a server sends both in one field. Only a tag at the very beginning opens reasoning, so
 * that a text which talks about tags stays as it is. Blank space behind a tag belongs to the tag.
 *
 * @param mode - `tagged`: between tags. `unopened`: it begins at once, and a lone closing tag ends it; if none comes, all
 * of it was text.
 */
export function createTagSplitter(mode: 'tagged' | 'unopened'): TagSplitter {
  let state: 'start' | 'inside' | 'unopened' | 'text' = mode === 'tagged' ? 'start' : 'unopened';
  let isBehindTag = false;
  let held = '';
  const enter = (next: 'inside' | 'text', length: number): void => {
    held = held.slice(length);
    state = next;
    isBehindTag = true;
  };
  const take = (length: number): string => {
    const text = held.slice(0, length);
    held = held.slice(length);
    return text;
  };
  const read = (): Piece[] => {
    const pieces: Piece[] = [];
    if (state === 'start' || state === 'unopened') {
      const opening = OPENING.exec(held);
      if (opening) enter('inside', opening[0].length);
      else if (state === 'start' && !OPENING_START.test(held)) state = 'text';
    }
    if (isBehindTag) held = held.trimStart();
    if (held === '') return pieces;
    if (state === 'inside' || state === 'unopened') {
      isBehindTag = false;
      const closing = CLOSING.exec(held);
      // A closing tag may be on its way; without one nobody knows yet that an unopened text is reasoning.
      const safe = closing ? closing.index : state === 'inside' ? held.length - LONGEST_CLOSING : 0;
      if (safe > 0) pieces.push({ kind: 'reasoning', text: take(safe) });
      if (closing) enter('text', closing[0].length);
    }
    if (state === 'text') {
      if (isBehindTag) held = held.trimStart();
      if (held === '') return pieces;
      isBehindTag = false;
      pieces.push({ kind: 'text', text: take(held.length) });
    }
    return pieces;
  };
  return {
    push(text) {
      held += text;
      return read();
    },
    end: () => (held === '' ? [] : [{ kind: state === 'inside' ? 'reasoning' : 'text', text: take(held.length) }]),
  };
}
