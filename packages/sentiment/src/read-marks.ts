import { classOf, DIGIT, LETTER } from './char-class.js';
import { KIND, pushText, type Tokens } from './tokens.js';

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

/** Reads a face, a `:shortcode:`, `<3`, `+1` or a run of one kind of punctuation; returns where it ends. */
export function mark(tokens: Tokens, lower: string, start: number): number {
  const { length } = lower;
  const first = lower.charAt(start);
  const second = lower.charAt(start + 1);
  if (first === ':' || first === ';' || first === '=') {
    const nose = second === '-' || second === "'" ? 1 : 0;
    const mouth = MOUTHS.get(lower.charAt(start + 1 + nose));
    const stop = start + 2 + nose;
    const isFree = stop >= length || classOf(lower.charCodeAt(stop)) !== LETTER;
    if (mouth !== undefined && isFree && !(first === '=' && nose === 0 && mouth !== ':)')) {
      pushText(tokens, KIND.face, second === "'" ? ':(' : mouth);
      return stop;
    }
    const code = first === ':' ? shortcode(lower, start) : -1;
    if (code !== -1) {
      pushText(tokens, KIND.emoji, lower.slice(start, code));
      return code;
    }
  }
  if (first === '<' && second === '3') {
    pushText(tokens, KIND.face, '<3');
    return start + 2;
  }
  if ((first === '+' || first === '-') && second === '1' && classOf(lower.charCodeAt(start + 2) || 32) !== DIGIT) {
    pushText(tokens, KIND.face, `${first}1`);
    return start + 2;
  }
  let at = start + 1;
  const isLoud = first === '!' || first === '?';
  for (; at < length; at += 1) {
    const next = lower.charAt(at);
    if (next !== first && !(isLoud && (next === '!' || next === '?'))) break;
  }
  const run = lower.slice(start, Math.min(at, start + 3));
  pushText(tokens, KIND.mark, isLoud && run.includes('!') && run.includes('?') ? '?!' : run);
  return at;
}

function shortcode(lower: string, start: number): number {
  let at = start + 1;
  while (at < lower.length && at < start + 32 && /[a-z0-9_+-]/.test(lower[at] ?? '')) at += 1;
  return at > start + 2 && lower[at] === ':' ? at + 1 : -1;
}
