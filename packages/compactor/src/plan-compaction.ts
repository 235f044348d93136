import { estimateMessageTokens, InvalidArgumentError } from '@x/core';
import { createHistoryIndex, type HistoryIndex, type HistoryView } from './history-index.js';
import { firstAbove } from './int-list.js';
import { prune, type Shortening, savingsFrom, shortenTail, sizeOf } from './plan-shortening.js';

/** What a plan has to keep to. All counts are tokens. */
export interface CompactionLimits {
  /** Most that a request may have. */
  readonly maxTokens: number;
  /** Least that stays word for word at the end; default half of `maxTokens`. */
  readonly keepTail?: number | undefined;
  /** What travels beside the messages: system prompt, tools, notes. Default 0. */
  readonly overheadTokens?: number | undefined;
  /** Room to leave for the summary and the ledger; default an eighth of `maxTokens`. */
  readonly foldTokens?: number | undefined;
  /** Index of the message that opened the turn in flight; default the newest message that somebody said to the model. */
  readonly turnStart?: number | undefined;
  /** Counts messages; its counts must add up. Ignored when `index` is given. */
  readonly countTokens?: ((messages: readonly object[]) => number) | undefined;
}

/** What cannot be made smaller: what stands beside the messages, what the user said last, or the turn in flight. */
export type Irreducible = 'overhead' | 'input' | 'turn';

/** What to do with a list of messages. Indexes are positions in it. */
export interface CompactionPlan {
  /**
   * `none`: it fits. `prune`: shortening old results is enough. `fold`: summarise `head`. `shorten`: there is nothing to
   * fold, but results can be shortened. `stuck`: nothing helps.
   */
  readonly action: 'none' | 'prune' | 'fold' | 'shorten' | 'stuck';
  /** What the request has now. */
  readonly tokens: number;
  /** What it is expected to have afterwards, with all of `foldTokens` used. */
  readonly expectedTokens: number;
  /** Messages to summarise, `from` included, `to` not; those in `keep` stay all the same. */
  readonly head?: { readonly from: number; readonly to: number } | undefined;
  /** The group with the newest message of the user, when it stands in the head: it stays, word for word. */
  readonly keep?: { readonly from: number; readonly to: number } | undefined;
  readonly shorten: readonly Shortening[];
  /** True when `keepTail` had to be given up. */
  readonly tailCut: boolean;
  /** Present when the result is expected over `maxTokens`; says what is in the way. */
  readonly irreducible?: Irreducible | undefined;
}

/**
 * Pruning alone is enough when it gets below this share of `maxTokens`, and results are shortened to it where they can be;
 * else the next turn or step would be at it again, and no prefix would stay for the provider's cache.
 */
const PRUNE_ENOUGH = 0.8;
/** Share of `maxTokens` that stays free after a fold, and the least that a fold has to take out. */
const ROOM = 0.05;
/** No result in the tail is cut below this. */
const SHORTEST_RESULT = 40;

/** Room that a plan leaves free below `maxTokens`, and the least that a fold must take out. */
export function stepOf(maxTokens: number): number {
  return Math.max(1, Math.floor(maxTokens * ROOM));
}

/**
 * Decides how to bring a list of messages under its limit, without doing it: no model, no clock, no change.
 * Takes time linear in the messages; with an `index` that knows the list, the time of looking at the tail.
 *
 * @param messages - A leading system prompt passes through; it counts.
 * @param index - From `createHistoryIndex`; keeps counts from call to call.
 * @throws {@link InvalidArgumentError} `maxTokens` is no number of tokens.
 */
export function planCompaction(messages: readonly object[], limits: CompactionLimits, index?: HistoryIndex): CompactionPlan {
  if (!(limits?.maxTokens >= 0)) throw new InvalidArgumentError('planCompaction needs maxTokens, a number of tokens');
  const { countTokens } = limits;
  const read = index ?? createHistoryIndex(countTokens ? (message) => countTokens([message]) : (message) => estimateMessageTokens(message));
  return planFor(read(messages), limits);
}

/** {@link planCompaction} for a list that is read already. */
export function planFor(view: HistoryView, limits: CompactionLimits): CompactionPlan {
  const { maxTokens, overheadTokens = 0, keepTail = Math.floor(maxTokens / 2), foldTokens = Math.floor(maxTokens / 8) } = limits;
  const { sums, foldEnd, exchanges, genuine } = view;
  const length = view.messages.length;
  const total = overheadTokens + sums[length]!;
  const none: CompactionPlan = { action: 'none', tokens: total, expectedTokens: total, shorten: [], tailCut: false };
  if (total <= maxTokens) return none;

  const step = stepOf(maxTokens);
  const room = maxTokens - step;
  const fixed = overheadTokens + sums[view.headEnd]!;
  const turn = startOfTurn(view, limits.turnStart);
  const newest = genuine[genuine.length - 1];
  const spoken = newest === undefined ? turn : Math.min(turn, view.groups[newest]!);
  const wanted = Math.max(foldEnd, Math.min(startOfTail(view, keepTail), spoken));

  const pruned = prune(view, wanted);
  if (pruned.length > 0) {
    const after = total - pruned.reduce((sum, { index, toTokens }) => sum + sizeOf(view, index) - toTokens, 0);
    if (after <= Math.min(room, maxTokens * PRUNE_ENOUGH)) return { ...none, action: 'prune', expectedTokens: after, shorten: pruned };
  }

  const cap = Math.max(SHORTEST_RESULT, Math.floor(maxTokens / 8));
  const planAt = (to: number): CompactionPlan => {
    const keep = newest !== undefined && view.groups[newest]! < to && newest >= foldEnd ? groupAt(view, view.groups[newest]!) : undefined;
    const kept = keep ? sums[keep.to]! - sums[keep.from]! : 0;
    const folds = sums[to]! - sums[foldEnd]! - kept >= step;
    const size = folds ? fixed + foldTokens + kept + sums[length]! - sums[to]! : total;
    const plan: CompactionPlan = {
      ...none,
      action: folds ? 'fold' : 'shorten',
      ...(folds && { head: { from: foldEnd, to }, keep }),
      tailCut: to > wanted,
      expectedTokens: size,
    };
    if (size <= room) return plan;
    const shortenTo = (goal: number) => shortenTail(view, folds ? to : foldEnd, size - goal, to === turn ? SHORTEST_RESULT : cap);
    const ample = shortenTo(Math.min(room, maxTokens * PRUNE_ENOUGH));
    const { saved, shorten } = size - ample.saved <= maxTokens * PRUNE_ENOUGH ? ample : shortenTo(room);
    return { ...plan, expectedTokens: size - saved, shorten };
  };
  // The whole tail first, then shorter and shorter ones; the turn in flight is the shortest.
  let last = planAt(wanted);
  if (last.expectedTokens <= room && (last.action === 'fold' || wanted === turn)) return last;
  if (wanted < turn) {
    const savings = savingsFrom(view, wanted, cap);
    for (let next = firstAbove(exchanges, wanted); next < exchanges.length && exchanges[next]! < turn; next += 1) {
      const to = exchanges[next]!;
      const folds = sums[to]! - sums[foldEnd]! >= step;
      if (!folds || fixed + foldTokens + sums[length]! - sums[to]! - savings(to) > room) continue;
      const plan = planAt(to);
      if (plan.action === 'fold' && plan.expectedTokens <= room) return plan;
    }
    last = planAt(turn);
    if (last.expectedTokens <= room) return last;
  }
  const plan = last;
  if (plan.expectedTokens <= maxTokens) return plan;
  const irreducible = fixed > room ? 'overhead' : fixed + inputOf(view, turn, newest) > room ? 'input' : 'turn';
  // Where what stands beside the messages leaves no room for a fold, folding would only be repeated on every turn.
  const hopeless = fixed > room / 2 && fixed + foldTokens > room;
  const helps = !hopeless && (plan.action === 'fold' || total - plan.expectedTokens >= step);
  return helps ? { ...plan, irreducible } : { ...none, action: 'stuck', irreducible };
}

function groupAt({ groups, messages }: HistoryView, from: number): { from: number; to: number } {
  let to = from + 1;
  while (to < messages.length && groups[to] === from) to += 1;
  return { from, to };
}

/** Where the turn in flight begins: the newest exchange, else the last group. */
function startOfTurn({ exchanges, groups, foldEnd, messages }: HistoryView, given: number | undefined): number {
  const newest = exchanges[exchanges.length - 1] ?? groups[messages.length - 1] ?? 0;
  const start = given !== undefined && groups[given] !== undefined ? Math.min(groups[given], newest) : newest;
  return Math.max(foldEnd, start);
}

/** The newest exchange from which on there are at least `keepTail` tokens; the beginning when all together are fewer. */
function startOfTail({ exchanges, sums, foldEnd, messages }: HistoryView, keepTail: number): number {
  const end = sums[messages.length]!;
  let low = 0;
  let high = exchanges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (end - sums[exchanges[middle]!]! >= keepTail) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? foldEnd : exchanges[low - 1]!;
}

function inputOf(view: HistoryView, turn: number, newest: number | undefined): number {
  const input = turn < view.messages.length ? sizeOf(view, turn) : 0;
  return newest === undefined || newest === turn ? input : input + sizeOf(view, newest);
}
