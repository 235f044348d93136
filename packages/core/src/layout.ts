import { asTalk, type Stored } from './messages.js';
import type { ToolSpec } from './tools.js';

/** Named pieces of text; features add theirs, and the layout joins them in one fixed order. */
export type Parts = { readonly [part: string]: string };

/** A note that was said before a certain message. Blocks are kept beside the transcript, never in it. */
export interface Block {
  /** The id of the message it stands before. */
  readonly before: string;
  readonly part: string;
  /** `''` withdraws the part: what was said of it no longer holds. */
  readonly text: string;
}

/** Every {@link Placement}; the first is the default. */
export const PLACEMENTS = ['kept-on-change', 'late', 'leading'] as const;

/**
 * Where the volatile parts go. `kept-on-change`: a part is said again only when it changed, and what was said stays, so
 * the whole past is a stable prefix. `late`: only the current turn carries notes, rebuilt each turn. `leading`: the
 * classic place, inside the system prompt, at the price of the provider's cache on every change.
 */
export type Placement = (typeof PLACEMENTS)[number];

/** Everything a request is made of, in the order in which it is read. */
export interface Layout {
  /** Byte-identical for the whole session. */
  readonly stable: Parts;
  /** Sorted by name; part of the prefix. */
  readonly tools: readonly ToolSpec[];
  /** Append-only between folds. */
  readonly history: readonly Stored[];
  readonly blocks: readonly Block[];
  /** This turn's notes. */
  readonly volatile: Parts;
  /** The input, then this turn's calls and results. */
  readonly current: readonly [Stored, ...Stored[]];
  /** Default `kept-on-change`. */
  readonly placement?: Placement | undefined;
}

/** Stands in an order for all parts that it does not name; they follow each other by name. */
const OTHERS = '*';
/** The order in which parts of the stable slot are joined; `*` is the place of all other names. */
export const STABLE_ORDER: readonly string[] = ['soul', 'system', 'elements', 'traits', OTHERS, 'limits'];
/** The order in which parts of the volatile slot are joined; `*` is the place of all other names. */
export const VOLATILE_ORDER: readonly string[] = ['state', 'elements', 'traits', 'imprints', 'retrieved', 'time', OTHERS];
/** What is known of the person who writes. It is for that person's turn alone, so it never stays behind a turn. */
const SENDER = 'sender';

/**
 * The parts that are not empty, in their fixed order, whatever order the object's keys are in. Parts that the order does
 * not name stand at its `*`.
 */
export function orderParts(parts: Parts, order: readonly string[]): readonly (readonly [part: string, text: string])[] {
  const ordered: (readonly [string, string])[] = [];
  const add = (part: string): void => {
    const text = Object.hasOwn(parts, part) ? parts[part] : undefined;
    if (text) ordered.push([part, text]);
  };
  const others = Object.keys(parts).filter((part) => part === OTHERS || !order.includes(part));
  for (const place of order) {
    if (place !== OTHERS) add(place);
    else for (const part of others.sort()) add(part);
  }
  return ordered;
}

/** The system prompt's text: the stable parts, one blank line between them. */
export function joinStable(stable: Parts): string {
  return orderParts(stable, STABLE_ORDER)
    .map(([, text]) => text)
    .join('\n\n');
}

/**
 * The blocks of a request: those whose message is still there, and one more before the input for each part that
 * differs from what was last said of it. After a fold the parts that stood in its head are said again by themselves.
 * The part `sender` stands before the input only: what was said of an earlier sender goes without a word.
 *
 * @returns The same list when nothing changed.
 */
export function nextBlocks(layout: Layout): readonly Block[] {
  const { history, current, blocks } = layout;
  const wanted = new Set(blocks.map((block) => block.before));
  const alive = new Set<string>();
  if (wanted.size > 0)
    for (const list of [history, current]) for (const message of list) if (wanted.has(message.id) && asTalk(message)) alive.add(message.id);
  return blocksFor(layout, (id) => alive.has(id));
}

/**
 * {@link nextBlocks} for who knows already which messages are there.
 *
 * @param known - What {@link saidBy} tells of these very blocks, where all of them stay.
 */
export function blocksFor(
  { current, blocks, volatile, placement = 'kept-on-change' }: Layout,
  isThere: (id: string) => boolean,
  known?: Said,
): readonly Block[] {
  if (placement === 'leading') return blocks.length === 0 ? blocks : [];
  const before = current[0].id;
  const parts = orderParts(volatile, VOLATILE_ORDER);
  if (placement === 'late') return parts.map(([part, text]) => block(before, part, text));
  if (blocks.length === 0) return parts.length === 0 ? blocks : parts.map(([part, text]) => block(before, part, text));
  const sender = parts.find(([part]) => part === SENDER)?.[1];
  const stays = ({ part, before: at, text }: Block): boolean => (part === SENDER ? at === before && text === sender : isThere(at));
  const kept = known || blocks.every(stays) ? blocks : blocks.filter(stays);
  const said = known ?? lastTexts(kept);
  const holds = new Set(parts.map(([part]) => part));
  const changed = parts.filter(([part, text]) => said.get(part) !== text).map(([part, text]) => block(before, part, text));
  const withdrawn = [...said].filter(([part, text]) => text !== '' && !holds.has(part)).map(([part]) => block(before, part, ''));
  if (changed.length + withdrawn.length === 0 && kept.length === blocks.length) return blocks;
  return kept.concat(changed, withdrawn);
}

/** What a list of blocks says last, by part. */
export type Said = ReadonlyMap<string, string>;

/**
 * What blocks say, for a list that only grows: of a long talk it need not be read again each turn.
 *
 * @param before - The same for their first `from`.
 * @returns `undefined` where a block speaks of a sender: it goes when its turn is over.
 */
export function saidBy(blocks: readonly Block[], before?: Said, from = 0): Said | undefined {
  for (let index = from; index < blocks.length; index += 1) if (blocks[index]!.part === SENDER) return undefined;
  if (before === undefined) return lastTexts(blocks);
  return from === blocks.length ? before : lastTexts(blocks.slice(from), before);
}

function lastTexts(blocks: readonly Block[], before?: Said): Said {
  const said = new Map(before);
  for (const { part, text } of blocks) said.set(part, text);
  return said;
}

// Frozen, so that those who keep it need no copy.
function block(before: string, part: string, text: string): Block {
  return Object.freeze({ before, part, text });
}

/** True when notes on an earlier sender stand in these blocks: without them the list differs from that message on. */
export function holdsEarlierSender({ blocks, current }: Layout, isThere: (id: string) => boolean): boolean {
  return blocks.some((block) => block.part === SENDER && block.before !== current[0].id && isThere(block.before));
}
