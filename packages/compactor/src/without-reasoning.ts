import { findReasoningMarks } from '@x/core';
import { type Fields, spokenText } from './dialect.js';

/** What was said in a message; of an assistant's, what comes behind the thinking aloud that local models write into it. */
export function saidText(message: object): string {
  const text = spokenText(message);
  return (message as Fields)['role'] === 'assistant' && /[<[◁]/.test(text) ? withoutReasoning(text, { nativeOnly: true }) : text;
}

/**
 * An answer without the thinking aloud that comes before it; `''` when it was cut off while thinking. Marks further
 * behind stay: a summary may tell of them.
 *
 * @param nativeOnly - True where no prompt asked for marks: then only those count that models are trained on.
 */
export function withoutReasoning(text: string, { nativeOnly = false }: { readonly nativeOnly?: boolean } = {}): string {
  let from = 0;
  let depth = 0;
  let seen = false;
  for (const { kind, start, end, isNative } of findReasoningMarks(text)) {
    if ((nativeOnly && !isNative) || isQuoted(text, start, end)) continue;
    const isNext = text.slice(from, start).trim() === '';
    if (depth === 0 && !isNext && (seen || !isLoneClose(kind, isNative, text, start, end))) break;
    seen = true;
    from = end;
    if (kind === 'open') depth += 1;
    else depth = kind === 'answer' ? 0 : Math.max(0, depth - 1);
  }
  return depth === 0 ? text.slice(from) : '';
}

/** True for a mark that is spoken of. */
function isQuoted(text: string, start: number, end: number): boolean {
  return /["'`“‘«]/.test(text[start - 1] ?? '') && /["'`”’»]/.test(text[end] ?? '');
}

/**
 * Templates of some models write the opening mark into the prompt, so that only the closing one is in the answer. One
 * between blanks is a word of a sentence.
 */
function isLoneClose(kind: string, isNative: boolean, text: string, start: number, end: number): boolean {
  if (text[start - 1] === ' ' && text[end] === ' ') return false;
  return kind !== 'open' && isNative && !/["'`“‘«]/.test(text[start - 1] ?? '') && !/["'`”’»]/.test(text[end] ?? '');
}
