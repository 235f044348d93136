/** A piece of text, and whether it is reasoning. */
export interface Piece {
  readonly kind: 'text' | 'reasoning';
  readonly text: string;
}

export interface TagSplitter {
  push(text: string): readonly Piece[];
  end(): readonly Piece[];
}

const OPENING = /^\s*<(think|thinking|thought|reasoning)>\s*/;
const OPENING_START = /^\s*(?:<[a-z]*)?$/;
const CLOSING = /<\/(?:think|thinking|thought|reasoning)>\s*/;
const LONGEST_CLOSING = '</reasoning>'.length;

/**
 * Parts reasoning from text where a server sends both in one field. Only a tag at the very beginning opens reasoning, so
 * that a text which talks about tags stays as it is.
 *
 * @param mode - `tagged`: between tags. `unopened`: it begins at once, and a lone closing tag ends it; if none comes, all
 * of it was text.
 */
export function createTagSplitter(mode: 'tagged' | 'unopened'): TagSplitter {
  let state: 'start' | 'inside' | 'unopened' | 'text' = mode === 'tagged' ? 'start' : 'unopened';
  let held = '';
  const take = (): Piece[] => {
    const pieces: Piece[] = [];
    if (state === 'start' || state === 'unopened') {
      const opening = OPENING.exec(held);
      if (opening) {
        held = held.slice(opening[0].length);
        state = 'inside';
      } else if (state === 'start' && !OPENING_START.test(held)) state = 'text';
    }
    if (state === 'inside' || state === 'unopened') {
      const closing = CLOSING.exec(held);
      // Blank space behind the tag belongs to it and may still be on its way.
      if (closing && closing.index + closing[0].length < held.length) {
        pieces.push({ kind: 'reasoning', text: held.slice(0, closing.index) });
        held = held.slice(closing.index + closing[0].length);
        state = 'text';
      } else if (!closing && state === 'inside' && held.length > LONGEST_CLOSING) {
        const safe = held.length - LONGEST_CLOSING;
        pieces.push({ kind: 'reasoning', text: held.slice(0, safe) });
        held = held.slice(safe);
      }
    }
    if (state === 'text' && held !== '') {
      pieces.push({ kind: 'text', text: held });
      held = '';
    }
    return pieces.filter((piece) => piece.text !== '');
  };
  return {
    push(text) {
      if (state === 'text') return text === '' ? [] : [{ kind: 'text', text }];
      held += text;
      return take();
    },
    end() {
      const rest = held;
      held = '';
      const closing = state === 'inside' || state === 'unopened' ? CLOSING.exec(rest) : null;
      if (closing) return [{ kind: 'reasoning' as const, text: rest.slice(0, closing.index) }].filter((piece) => piece.text !== '');
      return rest === '' ? [] : [{ kind: state === 'inside' ? 'reasoning' : 'text', text: rest }];
    },
  };
}
