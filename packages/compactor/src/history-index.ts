import { type Fields, type MessageTraits, traitsOf } from './dialect.js';
import { parseFold } from './fold-message.js';
import { createIntList, type IntList } from './int-list.js';
import { isReminder, isSummaryMessage } from './marks.js';
import { endOfGroup } from './repair-pairs.js';

/** What is known of a list of messages. */
export interface HistoryView<M extends object = object> {
  readonly messages: readonly M[];
  /** `sums[i]` is the tokens of the messages before `i`; valid up to and with the number of messages. */
  readonly sums: Float64Array;
  /** For each message, the start of the group that may not be split (a call and its results) which it belongs to. */
  readonly groups: Int32Array;
  /** Where exchanges begin: groups in which somebody speaks to the model. */
  readonly exchanges: Int32Array;
  /** Messages that a person wrote. */
  readonly genuine: Int32Array;
  /** Messages that hold tool results. */
  readonly results: Int32Array;
  /** Where the leading system and developer messages end. */
  readonly headEnd: number;
  /** Where the summaries of earlier folds end, which follow the head. */
  readonly foldEnd: number;
}

/** Counts the tokens of one message. */
export type CountMessage = (message: object) => number;

/** Reads a list, and reads it again cheaply when only messages were added since. A view is good until the next reading. */
export interface HistoryIndex {
  <M extends object>(messages: readonly M[]): HistoryView<M>;
  /** Tokens of a list; leaves views alone. */
  tokensOf(messages: readonly object[]): number;
}

// Flat arrays: a conversation of 100,000 messages must not cost the collector a hundred thousand small objects.
interface View extends HistoryView {
  messages: object[];
  sums: Float64Array;
  groups: Int32Array;
  exchanges: Int32Array;
  genuine: Int32Array;
  results: Int32Array;
  readonly lists: { readonly exchanges: IntList; readonly genuine: IntList; readonly results: IntList };
  headEnd: number;
  foldEnd: number;
}

/**
 * Makes an index that keeps the counts of each conversation's messages: a list that grew by one message is read in the
 * time of comparing it with the last one. Conversations are told apart by their first message that is no system prompt,
 * in a weak map. A message is taken to stay as it was counted, but for those of the last group.
 */
export function createHistoryIndex(countMessage: CountMessage): HistoryIndex {
  const views = new WeakMap<object, View>();
  const read = <M extends object>(messages: readonly M[]): HistoryView<M> => {
    const key = keyOf(messages);
    const view = (key && views.get(key)) ?? emptyView();
    if (key) views.set(key, view);
    const { messages: old } = view;
    const both = Math.min(messages.length, old.length);
    let same = 0;
    while (same < both && messages[same] === old[same]) same += 1;
    // The last group may have been written on in place; one before it may have waited for a result behind a note.
    if (same > 0) same = view.groups[same - 1]!;
    while (same > 0 && !endsGroups(messages[same]!)) same = view.groups[same - 1]!;
    try {
      extend(view, messages, same, countMessage);
    } catch (error) {
      // A view that is half read must not pass for a whole one.
      if (key) views.delete(key);
      throw error;
    }
    return view as unknown as HistoryView<M>;
  };
  return Object.assign(read, {
    tokensOf: (messages: readonly object[]) => messages.reduce((sum: number, message) => sum + countMessage(message), 0),
  });
}

/** True for a message before which every group is over, whatever follows. */
function endsGroups(message: object): boolean {
  const { role, speaks, origin } = traitsOf(message);
  return role === 'assistant' || (speaks && origin !== 'synthetic');
}

/** Where a conversation's own messages begin. */
function keyOf(messages: readonly object[]): object | undefined {
  for (let index = 0; index < messages.length && index < 8; index += 1) {
    const { role } = messages[index] as Fields;
    if (role !== 'system' && role !== 'developer') return messages[index];
  }
  return messages[0];
}

/** A view that stays as it is, whatever is read after it. */
export function keepView<M extends object>(view: HistoryView<M>): HistoryView<M> {
  const { messages, sums, groups, exchanges, genuine, results, headEnd, foldEnd } = view;
  return {
    messages: [...messages],
    sums: sums.slice(),
    groups: groups.slice(),
    exchanges: exchanges.slice(),
    genuine: genuine.slice(),
    results: results.slice(),
    headEnd,
    foldEnd,
  };
}

function emptyView(): View {
  const lists = { exchanges: createIntList(), genuine: createIntList(), results: createIntList() };
  const none = new Int32Array(0);
  return {
    messages: [],
    sums: new Float64Array(1),
    groups: none,
    exchanges: none,
    genuine: none,
    results: none,
    headEnd: 0,
    foldEnd: 0,
    lists,
  };
}

/** Brings the view up to `messages`, of which the first `same`, whole groups, are read already. */
function extend(view: View, messages: readonly object[], same: number, countMessage: CountMessage): void {
  const length = messages.length;
  makeRoom(view, length, same);
  if (same === 0) view.messages = messages.slice();
  else {
    view.messages.length = same;
    for (let index = same; index < length; index += 1) view.messages.push(messages[index]!);
  }
  const { sums, groups } = view;
  const { exchanges, genuine, results } = view.lists;
  for (const list of [exchanges, genuine, results]) list.cut(same);
  if (same <= view.foldEnd) readHead(view);
  let index = same;
  while (index < length) {
    if (isOneCall(messages, index)) {
      // The commonest group by far, read without making anything for the collector.
      groups[index] = groups[index + 1] = index;
      sums[index + 1] = sums[index]! + countMessage(messages[index]!);
      sums[index + 2] = sums[index + 1]! + countMessage(messages[index + 1]!);
      results.push(index + 1);
      index += 2;
      continue;
    }
    const traits = traitsOf(messages[index]!);
    const end = traits.glued ? gluedEnd(view, index) : traits.calls.length === 0 ? index + 1 : groupEnd(view, index);
    let opens = false;
    for (let at = index; at < end; at += 1) {
      const { speaks, results: answered, origin } = at === index ? traits : traitsOf(messages[at]!);
      groups[at] = index;
      sums[at + 1] = sums[at]! + countMessage(messages[at]!);
      if (answered.length > 0) results.push(at);
      if (!speaks || at < view.foldEnd || origin === 'synthetic') continue;
      if (origin === undefined && isReminder(messages[at]!)) continue;
      opens = true;
      if (origin === undefined || origin === 'user') genuine.push(at);
    }
    if (opens) exchanges.push(index);
    index = end;
  }
  view.exchanges = exchanges.values();
  view.genuine = genuine.values();
  view.results = results.values();
}

/** A plain assistant message with one call, and its result behind it. */
function isOneCall(messages: readonly object[], index: number): boolean {
  const { role, tool_calls, content } = messages[index] as Fields;
  if (role !== 'assistant' || !Array.isArray(tool_calls) || tool_calls.length !== 1 || (content !== null && typeof content !== 'string'))
    return false;
  const next = messages[index + 1] as Fields | undefined;
  const { id } = (tool_calls[0] ?? {}) as Fields;
  return next?.['role'] === 'tool' && typeof id === 'string' && next['tool_call_id'] === id && typeof next['content'] === 'string';
}

function makeRoom(view: View, length: number, same: number): void {
  if (view.groups.length >= length) return;
  const room = same === 0 ? length : Math.ceil(length * 1.25);
  const { sums, groups } = view;
  view.sums = new Float64Array(room + 1);
  view.groups = new Int32Array(room);
  view.sums.set(sums.subarray(0, same + 1));
  view.groups.set(groups.subarray(0, same));
}

function groupEnd({ messages }: View, index: number): number {
  return endOfGroup(messages.length, index, (at) => traitsOf(messages[at]!));
}

/** A reasoning item and the items it belongs to are one group. */
function gluedEnd(view: View, start: number): number {
  const { messages } = view;
  let index = start;
  while (index < messages.length && traitsOf(messages[index]!).glued) index += 1;
  return index < messages.length ? groupEnd(view, index) : index;
}

function readHead(view: View): void {
  const { messages } = view;
  let index = 0;
  while (index < messages.length && isHost(messages[index]!) && !isSummaryMessage(messages[index]!)) index += 1;
  view.headEnd = index;
  while (index < messages.length && isOfFold(messages[index]!, traitsOf(messages[index]!))) index += 1;
  view.foldEnd = index;
}

function isHost(message: object): boolean {
  const { role } = message as Fields;
  return role === 'system' || role === 'developer';
}

function isOfFold(message: object, { role, origin }: MessageTraits): boolean {
  if (role === 'system') return isSummaryMessage(message) || isReminder(message);
  return role === 'user' && (origin === undefined || origin === 'synthetic') && parseFold(message) !== undefined;
}
