import { classOf, DIGIT, LETTER } from './char-class.js';
import { KIND, pushSpan, pushText, type Tokens } from './tokens.js';

const MOUTHS = new Map([
  [')', ':)'],
  [']', ':)'],
  ['d', ':)'],
  ['p', ':)'],
  ['3', ':)'],
  ['*', ':)'],
  ['(', ':('],
  ['[', ':('],
  ['c', ':('],
  ['/', ':/'],
  ['\\', ':/'],
  ['|', ':/'],
  ['s', ':/'],
  ['o', ':o'],
]);

const EXCLAMATION = 33;
const QUESTION = 63;
/** Longer runs say no more. */
const LONGEST_RUN = 3;

/** Reads a face, a `:shortcode:`, `<3`, `+1` or a run of one kind of punctuation; returns where it ends. */
export function mark(tokens: Tokens, lower: string, start: number): number {
  const end = sign(tokens, lower, start);
  return end === start ? run(tokens, lower, start) : end;
}

/** Reads what is more than punctuation; returns where it ends, or `start` when it is none. */
function sign(tokens: Tokens, lower: string, start: number): number {
  const first = lower.charAt(start);
  if (first === ':' || first === ';' || first === '=') return face(tokens, lower, start, first);
  if (first !== '<' && first !== '+' && first !== '-') return start;
  const second = lower.charAt(start + 1);
  const isSign = first === '<' ? second === '3' : second === '1' && classOf(lower.charCodeAt(start + 2) || 32) !== DIGIT;
  if (!isSign) return start;
  pushSpan(tokens, KIND.face, start, start + 2);
  return start + 2;
}

function face(tokens: Tokens, lower: string, start: number, eyes: string): number {
  const second = lower.charAt(start + 1);
  const nose = second === '-' || second === "'" ? 1 : 0;
  const mouth = MOUTHS.get(lower.charAt(start + 1 + nose));
  const stop = start + 2 + nose;
  const isFree = stop >= lower.length || classOf(lower.charCodeAt(stop)) !== LETTER;
  if (mouth !== undefined && isFree && !(eyes === '=' && nose === 0 && mouth !== ':)')) {
    pushText(tokens, KIND.face, second === "'" ? ':(' : mouth);
    return stop;
  }
  const end = eyes === ':' ? shortcode(lower, start) : -1;
  if (end === -1) return start;
  pushSpan(tokens, KIND.emoji, start, end);
  return end;
}

function run(tokens: Tokens, lower: string, start: number): number {
  const { length } = lower;
  const first = lower.charCodeAt(start);
  const other = first === EXCLAMATION ? QUESTION : first === QUESTION ? EXCLAMATION : first;
  let isMixed = false;
  let at = start + 1;
  for (; at < length; at += 1) {
    const code = lower.charCodeAt(at);
    if (code !== first && code !== other) break;
    if (code !== first && at < start + LONGEST_RUN) isMixed = true;
  }
  if (isMixed) pushText(tokens, KIND.mark, '?!');
  else pushSpan(tokens, KIND.mark, start, Math.min(at, start + LONGEST_RUN));
  return at;
}

function shortcode(lower: string, start: number): number {
  let at = start + 1;
  while (at < lower.length && at < start + 32 && /[a-z0-9_+-]/.test(lower[at] ?? '')) at += 1;
  return at > start + 2 && lower[at] === ':' ? at + 1 : -1;
}
