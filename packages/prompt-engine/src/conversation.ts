import {
  type Block,
  type Capabilities,
  commonLength,
  createRequestLayout,
  freezeDeep,
  type LaidOut,
  type Layout,
  layoutMessages,
  type Stored,
  soundUntil,
} from '@x/core';
import { isSynthetic } from './recent-texts.js';

/** A request with as much of the history as fits. */
export interface Fitted {
  readonly request: Pick<LaidOut, 'messages' | 'tools' | 'blocks'>;
  readonly kept: number;
  readonly dropped: number;
  readonly historyTokens: number;
  /** False when the history holds what no request may: then it has to be parted anew, and this is not for sending. */
  readonly isSound: boolean;
}

/**
 * Lays out talks of any number, each with as much of its history as fits, and remembers what they cost. A talk is known
 * by its first message, whose identity no other talk shares. One without a message to answer is its system prompt alone,
 * notes in it.
 */
export function createFitting(
  countMessage: (message: Stored) => number,
  countBlock: (block: Block) => number,
): (layout: Layout, capabilities: Capabilities, roomTokens: number) => Fitted {
  const conversations = new WeakMap<object, ReturnType<typeof createConversation>>();
  return (layout, capabilities, roomTokens) => {
    const first: Stored | undefined = layout.current[0];
    if (first === undefined) {
      const { messages, tools } = layoutMessages({ ...layout, placement: 'leading' }, capabilities);
      return { request: { messages, tools, blocks: [] }, kept: 0, dropped: 0, historyTokens: 0, isSound: true };
    }
    const head = layout.history[0] ?? first;
    let fit = conversations.get(head);
    if (fit === undefined) {
      fit = createConversation(countMessage, countBlock);
      conversations.set(head, fit);
    }
    return fit(layout, capabilities, roomTokens);
  };
}

/**
 * Remembers the messages of one conversation and their token counts, so that a turn costs work for new messages only.
 * The result depends on the arguments alone; the memory only makes it quick.
 */
export function createConversation(
  countMessage: (message: Stored) => number,
  countBlock: (block: Block) => number,
): (layout: Layout, capabilities: Capabilities, roomTokens: number) => Fitted {
  const layOut = createRequestLayout();
  /** `sums[n]`: tokens of the first n messages of the history. */
  const sums: number[] = [0];
  /** The history that `sums` belongs to; needed only while it does not fit and `layOut` sees but its end. */
  let seen: readonly Stored[] | undefined;

  /** How many of the first messages are known to be sound. */
  let sound = 0;

  const measure = (history: readonly Stored[], known: number): void => {
    sums.length = Math.min(known, sums.length - 1) + 1;
    for (let index = sums.length - 1; index < history.length; index += 1) sums.push(sums[index]! + countMessage(history[index]!));
    sound = soundUntil(history, sound <= known ? sound : 0);
  };
  /** Tokens of notes that stand before messages of the history. */
  const notesOf = (blocks: readonly Block[], input: string): number => {
    let tokens = 0;
    for (const block of blocks) if (block.before !== input) tokens += countBlock(block);
    return tokens;
  };

  return (layout, capabilities, roomTokens) => {
    const { history, current, blocks } = layout;
    const notes = notesOf(blocks, current[0].id);
    let request: LaidOut | undefined;
    if (seen === undefined) {
      request = layOut(layout, capabilities);
      measure(history, request.known);
    } else {
      const known = commonLength(seen, history);
      for (const message of history.slice(known)) freezeDeep(message); // also what `layOut` does not get to see
      measure(history, known);
    }
    const cut = firstKept(history, sums, roomTokens - notes);
    if (cut === undefined) {
      seen = undefined;
      request ??= layOut(layout, capabilities);
      return { request, kept: history.length, dropped: 0, historyTokens: sums[history.length]! + notes, isSound: sound === history.length };
    }
    seen = [...history]; // a copy: the caller may put other messages into the same list
    const head = pinnedHead(seen);
    const kept = seen.slice(0, head).concat(seen.slice(cut)); // with thousands of messages far faster than two spreads
    request = layOut({ ...layout, history: kept }, capabilities);
    const historyTokens = sums[head]! + sums[history.length]! - sums[cut]! + notesOf(request.blocks, current[0].id);
    return { request, kept: kept.length, dropped: cut - head, historyTokens, isSound: sound === history.length };
  };
}

/** Messages at the start that are kept when what follows them is cut: a fold's summary. */
function pinnedHead(history: readonly Stored[]): number {
  let head = 0;
  while (head < history.length && isSynthetic(history[head]!)) head += 1;
  return head;
}

/**
 * Where the kept part of a history begins: at a message of the user, so that no call loses its result. What leaves is
 * rounded up to steps of an eighth to a quarter of the room: the cut then stays where it is for many turns, and with it the cached
 * prefix. A step is a power of two, so that it is the same one while the room changes a little with each turn's notes.
 *
 * @param sums - `sums[n]` is the cost of the first n messages.
 * @returns `undefined` when nothing has to leave; the length of the history when all of it has to.
 */
export function firstKept(history: readonly Stored[], sums: readonly number[], roomTokens: number): number | undefined {
  const head = pinnedHead(history);
  const excess = sums[history.length]! - roomTokens;
  if (excess <= 0) return undefined;
  const step = 2 ** Math.floor(Math.log2(Math.max(1, roomTokens / 4)));
  const least = (tokens: number): number => {
    for (let index = head; index < history.length; index += 1) {
      if (sums[index]! - sums[head]! >= tokens && history[index]!.role === 'user') return index;
    }
    return history.length;
  };
  const rounded = least(Math.ceil(excess / step) * step);
  return rounded < history.length ? rounded : least(excess);
}
