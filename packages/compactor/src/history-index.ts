import { type Fields, type MessageTraits, traitsOf } from './dialect.js';
import { parseFold } from './fold-message.js';
import { isReminder, isSummaryMessage } from './marks.js';
import { endOfGroup } from './repair-pairs.js';

/** What is known of a list of messages, one entry for each message unless said otherwise. */
export interface HistoryView<M extends object = object> {
  readonly messages: readonly M[];
  readonly traits: readonly MessageTraits[];
  /** `sums[i]` is the tokens of the messages before `i`; one entry more than there are messages. */
  readonly sums: readonly number[];
  /** Start of the group that may not be split (a call and its results) which the message belongs to. */
  readonly groups: readonly number[];
  /** Where exchanges begin: groups in which somebody speaks to the model. */
  readonly exchanges: readonly number[];
  /** Messages that a person wrote. */
  readonly genuine: readonly number[];
  /** Messages that hold tool results. */
  readonly results: readonly number[];
  /** Where the leading system and developer messages end. */
  readonly headEnd: number;
  /** Where the summaries of earlier folds end, which follow the head. */
  readonly foldEnd: number;
}

/** Counts the tokens of one message. */
export type CountMessage = (message: object) => number;

/** Reads a list, and reads it again cheaply when only messages were added since. */
export type HistoryIndex = <M extends object>(messages: readonly M[]) => HistoryView<M>;

interface Known {
  readonly tokens: number;
  readonly traits: MessageTraits;
  readonly content: unknown;
  readonly calls: unknown;
}

interface View extends HistoryView {
  messages: object[];
  /** What the messages held when they were counted. */
  held: unknown[];
  traits: MessageTraits[];
  sums: number[];
  groups: number[];
  exchanges: number[];
  genuine: number[];
  results: number[];
  headEnd: number;
  foldEnd: number;
}

/**
 * Makes an index that keeps counts by message, in weak maps: a message is counted once as long as the host keeps the
 * same object, and a list that grew by one message is read in the time of comparing it with the last one. A message
 * whose `content` was replaced is counted anew; one changed deeper inside is not.
 */
export function createHistoryIndex(countMessage: CountMessage): HistoryIndex {
  const known = new WeakMap<object, Known>();
  // The last list by its first message. Lists that begin alike take turns; that costs time, never correctness.
  const lists = new WeakMap<object, View>();

  const look = (message: object): Known => {
    const { content, tool_calls } = message as Fields;
    const before = known.get(message);
    if (before && before.content === content && before.calls === tool_calls) return before;
    const now = { tokens: countMessage(message), traits: traitsOf(message), content, calls: tool_calls };
    known.set(message, now);
    return now;
  };

  return <M extends object>(messages: readonly M[]): HistoryView<M> => {
    const first = messages[0];
    if (first === undefined) return emptyView() as unknown as HistoryView<M>;
    const view = lists.get(first) ?? emptyView();
    lists.set(first, view);
    let same = 0;
    const both = Math.min(messages.length, view.messages.length);
    while (same < both && messages[same] === view.messages[same] && (messages[same] as Fields)['content'] === view.held[same]) same += 1;
    if (same === messages.length && same === view.messages.length) return view as unknown as HistoryView<M>;
    extend(view, messages, same, look);
    return view as unknown as HistoryView<M>;
  };
}

function emptyView(): View {
  return { messages: [], held: [], traits: [], sums: [0], groups: [], exchanges: [], genuine: [], results: [], headEnd: 0, foldEnd: 0 };
}

/** Brings the view up to `messages`, of which the first `same` are read already. */
function extend(view: View, messages: readonly object[], same: number, look: (message: object) => Known): void {
  const { traits, sums, groups } = view;
  // The last group may go on with what is new, so it is read again.
  const from = same > 0 ? groups[same - 1]! : 0;
  view.messages.length = same;
  view.held.length = same;
  traits.length = same;
  sums.length = same + 1;
  groups.length = from;
  for (const list of [view.exchanges, view.genuine, view.results]) while (list.length > 0 && list[list.length - 1]! >= from) list.pop();
  for (let index = same; index < messages.length; index += 1) {
    const entry = look(messages[index]!);
    view.messages.push(messages[index]!);
    view.held.push(entry.content);
    traits.push(entry.traits);
    sums.push(sums[index]! + entry.tokens);
  }
  if (from === 0 || same <= view.foldEnd) readHead(view);
  let index = from;
  while (index < messages.length) {
    const end = traits[index]!.glued ? gluedEnd(view, index) : groupEnd(view, index);
    let opens = false;
    for (let at = index; at < end; at += 1) {
      const { speaks, results, origin } = traits[at]!;
      groups.push(index);
      if (results.length > 0) view.results.push(at);
      if (!speaks || at < view.foldEnd || origin === 'synthetic') continue;
      if (origin === undefined && isReminder(view.messages[at]!)) continue;
      opens = true;
      if (origin === undefined || origin === 'user') view.genuine.push(at);
    }
    if (opens) view.exchanges.push(index);
    index = end;
  }
}

function groupEnd(view: View, index: number): number {
  if (view.traits[index]!.calls.length === 0) return index + 1;
  return endOfGroup(view.messages.length, index, (at) => view.traits[at]!);
}

/** A reasoning item and the items it belongs to are one group. */
function gluedEnd(view: View, start: number): number {
  let index = start;
  while (index < view.messages.length && view.traits[index]!.glued) index += 1;
  return index < view.messages.length ? groupEnd(view, index) : index;
}

function readHead(view: View): void {
  const { messages, traits } = view;
  const isHost = (role: string): boolean => role === 'system' || role === 'developer';
  let index = 0;
  while (index < messages.length && isHost(traits[index]!.role) && !isSummaryMessage(messages[index]!)) index += 1;
  view.headEnd = index;
  while (index < messages.length && isOfFold(messages[index]!, traits[index]!)) index += 1;
  view.foldEnd = index;
}

function isOfFold(message: object, { role, origin }: MessageTraits): boolean {
  if (role === 'system') return isSummaryMessage(message) || isReminder(message);
  return role === 'user' && (origin === undefined || origin === 'synthetic') && parseFold(message) !== undefined;
}
