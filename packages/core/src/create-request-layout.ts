import { KnownList } from './known-list.js';
import { type Block, blocksFor, holdsEarlierSender, type Layout, type Parts, type Said, saidBy } from './layout.js';
import { appendMessage, type Carriage, carriageOf, finish, groupByMessage, stableText } from './layout-messages.js';
import { asTalk, type ChatMessage, type Stored } from './messages.js';
import type { Capabilities, ModelRequest } from './model.js';

/** A request, and the notes that it carries. */
export interface LaidOut extends Pick<ModelRequest, 'messages' | 'tools'> {
  /** As `nextBlocks` gives them: what the next layout has to bring along. */
  readonly blocks: readonly Block[];
  /** How many of the first messages of history and turn were known from the request before. */
  readonly known: number;
  /** True when notes on an earlier sender went out of the middle of the list. */
  readonly senderLeft: boolean;
}

/**
 * Makes a session's requests: `nextBlocks` and `layoutMessages` in one, working on new messages only.
 *
 * Messages are recognised by identity. Each is frozen, with all that is in it, when it is first seen: whoever edits
 * one later gets a `TypeError` instead of a request that still says what it said before; whoever puts a new message in
 * its place is understood. The stable parts are known by identity and frozen too. The lists returned are new, the messages in them are shared and frozen;
 * with `lend` a list is the one that was lent before, brought up to date, for who is done with that one.
 *
 * @returns A function of layout and capabilities with the same results as the two. It remembers the last request, so
 * each conversation should have one of its own.
 */
export function createRequestLayout(): (layout: Layout, capabilities: Capabilities, options?: { readonly lend?: boolean }) => LaidOut {
  let sources = new KnownList<Stored>();
  /** Where the output of each source begins in `list`; a source that was joined to the one before adds nothing. */
  let starts: number[] = [];
  let list: ChatMessage[] = [];
  let blocks: readonly Block[] = [];
  /** What they say, while all of them stay. */
  let said: Said | undefined;
  let head: ChatMessage | undefined;
  const lender = createLender();
  let carriage: Carriage | undefined;
  /** The stable text of the last request: the parts are the same ones for the whole session. */
  let joined: { readonly of: Parts; readonly text: string } | undefined;
  /** Where the messages stand that notes were asked for: to remember all of a long talk costs more than to look for a few. */
  const places = new Map<string, number>();

  /** Takes over the list of messages; returns how many of its first were there before. */
  const takeOver = (layout: Layout): number => {
    const { history, current } = layout;
    const known = knownLength(sources, layout);
    while (sources.length > known) places.delete(sources.pop()!.id);
    for (let index = known; index < history.length + current.length; index += 1) {
      const message = index < history.length ? history[index]! : current[index - history.length]!;
      sources.push(freezeAll(message));
    }
    return known;
  };
  /** Looks for the messages that notes stand before, from the newest on, since notes are mostly about those. */
  const findPlaces = (blocks: readonly Block[], { current }: Layout): void => {
    const wanted = new Set<string>();
    for (const { before } of blocks) if (!places.has(before)) wanted.add(before);
    if (!places.has(current[0].id)) wanted.add(current[0].id);
    for (let index = sources.length - 1; index >= 0 && wanted.size > 0; index -= 1) {
      const message = sources.at(index)!;
      if (wanted.has(message.id) && asTalk(message)) {
        wanted.delete(message.id);
        places.set(message.id, index);
      }
    }
  };

  return (layout, capabilities, { lend = false } = {}) => {
    const wanted = carriageOf(layout, capabilities);
    if (carriage === undefined || !isSame(carriage, wanted)) {
      [sources, starts, list, blocks, joined, said, head] = [new KnownList(), [], [], [], undefined, undefined, undefined];
      places.clear();
      lender.changedFrom(0);
    }
    carriage = undefined; // until this request stands: what throws in between leaves nothing half done
    const before = sources.length;
    const known = takeOver(layout);
    const isKept = (layout.placement ?? 'kept-on-change') === 'kept-on-change';
    const grown = isKept && known === before && layout.blocks === blocks ? said : undefined;
    findPlaces(grown ? [] : layout.blocks, layout);
    const isThere = (id: string): boolean => places.has(id);
    const next = blocksFor(layout, isThere, grown);
    // A turn that begins with what is no message of the talk carries no notes: nobody has seen them.
    said = isThere(layout.current[0].id) ? saidBy(next, grown, grown ? blocks.length : 0) : undefined;
    const senderLeft = isKept && !grown && holdsEarlierSender(layout, isThere);
    let from = Math.min(known, starts.length, firstChange(blocks, next, places));
    // A source that was joined to the one before it has no place of its own to start from.
    while (from > 0 && from < starts.length && starts[from] === (starts[from + 1] ?? list.length)) from -= 1;
    list.length = starts[from] ?? list.length;
    lender.changedFrom(list.length - 1); // the next one may be joined to the last that stays
    starts.length = from;
    const notes = groupByMessage(next, (id) => (places.get(id) ?? -1) >= from);
    for (let index = from; index < sources.length; index += 1) {
      const message = sources.at(index)!;
      const start = list.length;
      starts.push(start);
      appendMessage(list, message, notes.get(message.id), wanted);
      for (let place = start; place < list.length; place += 1) freezeAll(list[place]);
      if (start === list.length) freezeAll(list[start - 1]); // it was joined to the one before
    }
    blocks = next;
    carriage = wanted;
    if (joined?.of !== layout.stable) joined = { of: Object.freeze(layout.stable), text: stableText(layout.stable, wanted) };
    const made = finish(layout, list, wanted, joined.text, head, lend ? lender.lend : undefined);
    ({ head } = made);
    return { messages: made.messages, tools: made.tools, blocks: next, known, senderLeft };
  };
}

/** Keeps one list for all requests that are lent, so that a long one is not copied for each. */
function createLender(): {
  /** From this place on the messages are others than those that were lent. */
  changedFrom(index: number): void;
  lend(head: ChatMessage | undefined, list: readonly ChatMessage[]): readonly ChatMessage[];
} {
  const lent: ChatMessage[] = [];
  let hasHead = false;
  /** How many of the messages stand in it, behind the head. */
  let same = 0;
  return {
    changedFrom(index) {
      same = Math.max(0, Math.min(same, index));
    },
    lend(head, list) {
      if (hasHead !== (head !== undefined)) same = 0;
      hasHead = head !== undefined;
      lent.length = same === 0 ? 0 : same + (hasHead ? 1 : 0);
      if (head) lent[0] = head;
      for (; same < list.length; same += 1) lent.push(list[same]!);
      return lent;
    },
  };
}

/** How many of the last request's messages stand first in history and turn. */
function knownLength(sources: KnownList<Stored>, { history, current }: Layout): number {
  const same = sources.commonLength(history);
  return same < history.length ? same : same + sources.commonLength(current, same);
}

/** The place of the first message whose notes differ between two lists of blocks. */
function firstChange(old: readonly Block[], next: readonly Block[], places: ReadonlyMap<string, number>): number {
  let same = 0;
  while (same < old.length && same < next.length && old[same] === next[same]) same += 1;
  let first = Number.POSITIVE_INFINITY;
  for (const changed of [old, next]) {
    for (let index = same; index < changed.length; index += 1) first = Math.min(first, places.get(changed[index]!.before) ?? first);
  }
  return first;
}

function isSame(a: Carriage, b: Carriage): boolean {
  return a.lateNote === b.lateNote && a.mergeRuns === b.mergeRuns && a.completion === b.completion && a.leading === b.leading;
}

function freezeAll<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const key in value) freezeAll(value[key]);
  return Object.freeze(value);
}
