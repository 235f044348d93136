import { callsIn, type Fields, resultTexts } from './dialect.js';
import { shortenResults } from './shorten.js';
import type { SplitOptions } from './split-parts.js';
import { cutBefore } from './well-formed.js';
import { saidText } from './without-reasoning.js';

/** Texts below this many characters are not split further, whatever they count. */
const SHORTEST_PIECE = 200;
/** Share of a call that is used at least, however much goes with it. */
const LEAST_SHARE = 0.25;

/**
 * A group as pieces that one call holds each: with its tool results shortened where that is enough, else told in words,
 * for a call and its result cannot be parted as messages. Only the summariser sees them so.
 *
 * @param size - Its tokens.
 * @param free - Tokens that the first call has left.
 */
export function splitGroup(
  group: readonly object[],
  size: number,
  free: number,
  { room, countText, countMessage }: SplitOptions,
): readonly (readonly object[])[] {
  const most = Math.max(Math.floor(room * LEAST_SHARE), Math.min(room, free));
  const countAll = (messages: readonly object[]): number => messages.reduce((sum, message) => sum + countMessage(message), 0);
  const excess = size - most;
  if (excess <= 0) return [group]; // with little left, the least share decides
  const inResults = (message: object): number => resultTexts(message).reduce((sum, text) => sum + countText(text), 0);
  const all = group.reduce((sum, message) => sum + inResults(message), 0);
  const kept = all === 0 ? 1 : Math.max(0, 1 - (1.02 * excess) / all);
  const shortened = group.map((message) => {
    const results = inResults(message);
    const share = Math.floor(countMessage(message) - results * (1 - kept));
    return results === 0 ? message : shortenResults(message, share, { message: countMessage, text: countText });
  });
  if (countAll(shortened) <= most) return [shortened];
  const pieces = shortened.flatMap((message) => told(message, most, countMessage));
  return pieces.length === 0 ? [shortened] : pieces.map((piece) => [piece]);
}

/** A message as plain ones of at most so many tokens: what was said, called and answered in it. */
function told(message: object, most: number, countMessage: (message: object) => number): readonly object[] {
  const role = (message as Fields)['role'] === 'user' ? 'user' : 'assistant';
  const results = resultTexts(message);
  const texts = [
    ...(results.length > 0 && (message as Fields)['role'] === 'tool' ? [] : [saidText(message)]),
    ...callsIn(message).map(({ name, args }) => `calls ${name} ${args}`),
    ...results.map((text) => `result: ${text}`),
  ];
  const pieces: object[] = [];
  const add = (text: string): void => {
    const piece = { role, content: text };
    if (text.length < SHORTEST_PIECE || countMessage(piece) <= most) {
      if (text.trim() !== '') pieces.push(piece);
      return;
    }
    const middle = middleOf(text);
    add(text.slice(0, middle));
    add(text.slice(middle));
  };
  for (const text of texts) add(text);
  return pieces;
}

/** A place near the middle to cut at: before a blank where there is one. */
function middleOf(text: string): number {
  const half = text.length >> 1;
  const blank = text.slice(half, half + 100).search(/\s/);
  return blank < 0 ? cutBefore(text, half) : half + blank;
}
