import { mendString } from './mend-string.js';
import { isQuote, readString, skipBlank } from './read-string.js';

/** Where a value ends, and what it is once light damage is mended. */
export interface Scanned {
  /** Behind the closing bracket; `undefined` when it never came. */
  readonly end: number | undefined;
  /** The value as strict JSON; `undefined` when it is more than lightly damaged. */
  readonly json: string | undefined;
  /** True when something was left out: a bracket, or what an ellipsis stands for. */
  readonly isPartial: boolean;
}

interface Frame {
  readonly close: '}' | ']';
  count: number;
  want: 'key' | 'colon' | 'value' | 'item' | 'comma';
}

/**
 * Reads an object or list from its opening bracket to the closing one that belongs to it, in one pass. Mended are
 * quotes, escapes, raw line breaks, trailing and missing commas, keys and words without quotes, comments and Python's
 * words. Nothing is made up: an empty place, an ellipsis, a missing bracket or half a number spoils the value.
 */
export function scanJson(text: string, start: number): Scanned {
  const out: string[] = [];
  const open: Frame[] = [];
  const depths = { '}': 0, ']': 0 };
  let isSound = true;
  let isPartial = false;
  const makeRoom = (frame: Frame): void => {
    if (frame.want === 'value') return;
    if (frame.count > 0) out.push(',');
    frame.count += 1;
  };
  const scalar = (json: string, isString: boolean, isOnNewLine: boolean): void => {
    const frame = open.at(-1) as Frame;
    const isKey = frame.close === '}' && frame.want !== 'value';
    const isMissingComma = frame.want === 'comma' && isString && (isKey || isOnNewLine);
    if ((frame.want === 'comma' && !isMissingComma) || frame.want === 'colon') isSound = false;
    makeRoom(frame);
    out.push(json);
    frame.want = isKey ? 'colon' : 'comma';
  };
  const enter = (char: '{' | '['): void => {
    const frame = open.at(-1);
    if (frame) {
      if (frame.close === '}' && frame.want !== 'value') isSound = false;
      makeRoom(frame);
      frame.want = 'comma';
    }
    out.push(char);
    const close = char === '{' ? '}' : ']';
    open.push({ close, count: 0, want: char === '{' ? 'key' : 'item' });
    depths[close] += 1;
  };
  const leave = (char: '}' | ']'): void => {
    out.push(char);
    if (depths[char] === 0) {
      isSound = false;
      return;
    }
    for (let frame = open.pop(); frame; frame = open.pop()) {
      depths[frame.close] -= 1;
      if (frame.want === 'colon' || frame.want === 'value') isSound = false;
      if (frame.close === char) break;
      isPartial = true;
      isSound = false;
    }
  };
  const mark = (char: ',' | ':'): void => {
    const frame = open.at(-1) as Frame;
    if (frame.want !== (char === ',' ? 'comma' : 'colon')) isSound = false;
    if (char === ':') out.push(':');
    frame.want = char === ':' ? 'value' : frame.close === '}' ? 'key' : 'item';
  };

  for (let at = start; at < text.length; ) {
    const from = at;
    at = skipBlank(text, from);
    const isOnNewLine = text.slice(from, at).includes('\n');
    const char = text[at];
    if (char === '{' || char === '[') {
      enter(char);
      at += 1;
    } else if (char === '}' || char === ']') {
      leave(char);
      at += 1;
      if (open.length === 0) return { end: at, json: isSound ? out.join('') : undefined, isPartial };
    } else if (char === ',' || char === ':') {
      mark(char);
      at += 1;
    } else if (text.startsWith('//', at) || text.startsWith('/*', at)) {
      const end = char && text[at + 1] === '/' ? text.indexOf('\n', at) : text.indexOf('*/', at + 2);
      at = end === -1 ? text.length : end + (text[at + 1] === '/' ? 0 : 2);
    } else if (isQuote(char)) {
      const string = readString(text, at);
      if (string === undefined) break;
      if (!string.isSound) isSound = false;
      scalar(`"${mendString(text.slice(at + string.quotes, string.end - string.quotes))}"`, true, isOnNewLine);
      at = string.end;
    } else if (char !== undefined) {
      const word = bareAt(text, at);
      const isKey = open.at(-1)?.want === 'key';
      const json = isKey ? keyOf(word) : bareValueOf(word);
      if (/^(?:\.\.|…)/.test(word)) isPartial = true;
      if (json === undefined) isSound = false;
      scalar(json ?? 'null', isKey, isOnNewLine);
      at += word.length;
    }
  }
  return { end: undefined, json: undefined, isPartial: true };
}

function bareAt(text: string, at: number): string {
  const bare = /[^\s,:{}[\]"'“”‘’]+/y;
  bare.lastIndex = at;
  return bare.exec(text)?.[0] ?? (text[at] as string);
}

function keyOf(word: string): string | undefined {
  return /^[\w$-]+$/.test(word) ? `"${word}"` : undefined;
}

const WORDS: { readonly [word: string]: string } = {
  true: 'true',
  false: 'false',
  null: 'null',
  True: 'true',
  False: 'false',
  None: 'null',
};

function bareValueOf(given: string): string | undefined {
  const word = given.replace(/^\+(?=[\d.])/, '');
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(word)) return word;
  if (/^-?\.\d+$/.test(word)) return word.replace('.', '0.');
  if (Object.hasOwn(WORDS, word)) return WORDS[word];
  return /^[A-Za-z_$][\w$-]*$/.test(word) && !/^(?:NaN|Infinity|undefined)$/.test(word) ? `"${word}"` : undefined;
}
