import { findReasoningMarks, type ReasoningMark } from '@x/core';

/** A piece of text, and whether it is reasoning. */
export interface Piece {
  readonly kind: 'text' | 'reasoning';
  readonly text: string;
}

export interface TagSplitter {
  push(text: string): readonly Piece[];
  end(): readonly Piece[];
}

/**
 * `unopened`: all is held until a closing tag comes. `pair`: text is held from a later opening tag until its closing one
 * comes. `plain`: nothing is looked for any more.
 */
type State = 'start' | 'unopened' | 'inside' | 'text' | 'pair' | 'plain';

/**
 * Parts reasoning from text where a server sends both in one field. Only a tag at the very beginning opens reasoning, so
 * that a text which talks about tags stays as it is; once one did, later pairs are reasoning too. Tags that a prompt may
 * have asked for, such as `<analysis>`, are text. Blank space behind a tag belongs to the tag.
 *
 * @param mode - `tagged`: between tags. `unopened`: it begins at once, and a lone closing tag ends it; if none comes, all
 * of it was text.
 */
export function createTagSplitter(mode: 'tagged' | 'unopened'): TagSplitter {
  let state: State = 'start';
  let isBehindTag = false;
  /** What was pushed and is not decided yet; before it what was searched in vain, and before that the tag of a pair. */
  let held = '';
  let searched = '';
  let opening = '';
  let pieces: Piece[] = [];

  const take = (length: number): string => {
    const text = held.slice(0, length);
    held = held.slice(length);
    return text;
  };
  const say = (kind: Piece['kind'], text: string): void => {
    const said = isBehindTag ? text.trimStart() : text;
    if (said === '') return;
    isBehindTag = false;
    pieces.push({ kind, text: said });
  };
  const pass = ({ start, end }: ReasoningMark, next: State): void => {
    take(end - start);
    isBehindTag = true;
    state = next;
  };
  const find = (...kinds: readonly ReasoningMark['kind'][]): ReasoningMark | undefined => {
    for (const mark of findReasoningMarks(held)) if (mark.isNative && kinds.includes(mark.kind)) return mark;
    return undefined;
  };
  /** Reasoning up to a closing tag that may be far away. */
  const close = (): boolean => {
    const mark = find('close', 'answer');
    if (!mark) {
      searched += take(Math.max(0, held.length - LONGEST_MARK));
      return false;
    }
    if (opening !== '') isBehindTag = true;
    say('reasoning', searched + take(mark.start));
    searched = opening = '';
    pass(mark, 'text');
    return true;
  };
  const steps: { readonly [name in State]: () => boolean } = {
    start() {
      const lead = held.length - held.trimStart().length;
      if (lead === held.length) return false;
      const mark = find('open', 'answer');
      if (mark?.start === lead) {
        take(lead);
        pass(mark, mark.kind === 'open' ? 'inside' : 'text');
      } else if (mayBecomeMark(held.slice(lead))) return false;
      else state = mode === 'tagged' ? 'plain' : 'unopened';
      return true;
    },
    unopened: close,
    inside() {
      const mark = find('close', 'answer');
      say('reasoning', take(mark?.start ?? held.length - pendingLength(held)));
      if (mark) pass(mark, 'text');
      return mark !== undefined;
    },
    text() {
      const mark = find('open', 'answer');
      say('text', take(mark?.start ?? held.length - pendingLength(held)));
      if (mark?.kind === 'answer') pass(mark, 'text');
      else if (mark) {
        opening = take(mark.end - mark.start);
        state = 'pair';
      }
      return mark !== undefined;
    },
    pair: close,
    plain() {
      say('text', take(held.length));
      return false;
    },
  };
  return {
    push(text) {
      held += text;
      pieces = [];
      while (steps[state]());
      return pieces;
    },
    end() {
      pieces = [];
      say(state === 'inside' ? 'reasoning' : 'text', opening + searched + take(held.length));
      return pieces;
    },
  };
}

/** More than the longest mark has characters. */
const LONGEST_MARK = 256;

// What a mark may look like before it is whole; rather too much is held back than too little.
const PARTIAL = [
  /^<\s{0,3}\/?\s{0,3}[\w:]*(?:\s[^<>]*)?$/,
  /^(?:<\|\w+\|>[^<>]{0,100})*(?:<(?:\|\/?\w*\|?)?)?$/,
  /^<unused94>\w{0,7}$/,
  /^<\|channel>\w{0,7}[ \t]{0,3}$/,
  /^<channel\|?$/,
  /^\[\/?\w{0,8}$/,
  /^◁\/?\w{0,8}$/,
];

function mayBecomeMark(text: string): boolean {
  return text.length < LONGEST_MARK && PARTIAL.some((pattern) => pattern.test(text));
}

/** How many characters at the end may be the beginning of a mark. */
function pendingLength(text: string): number {
  for (let at = Math.max(0, text.length - LONGEST_MARK); at < text.length; at += 1) {
    if (/[<[◁]/.test(text.charAt(at)) && mayBecomeMark(text.slice(at))) return text.length - at;
  }
  return 0;
}
