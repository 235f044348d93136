import { InvalidArgumentError } from './errors.js';
import { type Block, joinStable, type Layout, orderParts, type Parts, VOLATILE_ORDER } from './layout.js';
import { asTalk, type ChatMessage, type Stored, textOf, toWire } from './messages.js';
import type { Capabilities, ModelRequest } from './model.js';
import { FENCE_RULE, fenceAlone, noteText, withFence } from './state-notes.js';

// Stands between two messages of the user where roles must alternate and the second opens with a note: joined to the
// first, its note would be in the middle of a message, where none counts. And between a result and the user, who may not
// follow it there (Mistral): a turn that a limit ended has no answer behind its results.
const SEPARATOR: ChatMessage = Object.freeze({ role: 'assistant', content: '(no answer)' });

/**
 * Makes the list that goes to a model. This is the only place where it is made: for first requests, retries, beats and
 * helper calls alike. One system prompt stands at index 0, and what the history has of others is left out; a summary that
 * another system stored as one is sent as a user message. Notes stand before the message they belong to, carried the way
 * the endpoint accepts.
 *
 * @param layout - `blocks` as returned by `nextBlocks`.
 * @returns Messages and tools, the tools sorted by name. Equal inputs give equal bytes.
 * @throws {@link InvalidArgumentError} a note stands before a tool result, where it would part it from its call.
 * @remarks For a session of many turns use `createRequestLayout`, which gives the same list and works on new messages only.
 */
export function layoutMessages(layout: Layout, capabilities: Capabilities): Pick<ModelRequest, 'messages' | 'tools'> {
  const carriage = carriageOf(layout, capabilities);
  const notes = groupByMessage(layout.blocks);
  const list: ChatMessage[] = [];
  for (const message of layout.history) appendMessage(list, message, notes.get(message.id), carriage);
  for (const message of layout.current) appendMessage(list, message, notes.get(message.id), carriage);
  const { messages, tools } = finish(layout, list, carriage, stableText(layout.stable, carriage));
  return { messages, tools };
}

/** How an endpoint wants its list: what `appendMessage` needs to know of a layout and its capabilities. */
export interface Carriage {
  readonly lateNote: Capabilities['lateNote'];
  readonly mergeRuns: boolean;
  readonly completion: boolean;
  /** Notes are in the system prompt: messages carry none and need no guard. */
  readonly leading: boolean;
}

export function carriageOf({ placement }: Layout, { lateNote, mergeUserRuns, transcript = 'chat' }: Capabilities): Carriage {
  const completion = transcript === 'completion';
  return { lateNote: completion ? 'fenced-user' : lateNote, mergeRuns: mergeUserRuns, completion, leading: placement === 'leading' };
}

/** Blocks by the message they stand before; of those messages only that are asked for. */
export function groupByMessage(
  blocks: readonly Block[],
  isAskedFor: (id: string) => boolean = () => true,
): ReadonlyMap<string, readonly Block[]> {
  const groups = new Map<string, Block[]>();
  for (const block of blocks) {
    if (!isAskedFor(block.before)) continue;
    const group = groups.get(block.before);
    if (group) group.push(block);
    else groups.set(block.before, [block]);
  }
  return groups;
}

/**
 * Adds a message with its notes to the end of a list, or joins it to the last one where roles must alternate. One that is
 * no part of the talk is left out; it carries no notes.
 */
export function appendMessage(list: ChatMessage[], stored: Stored, notes: readonly Block[] | undefined, carriage: Carriage): void {
  const talk = asTalk(stored);
  if (talk === undefined) return;
  // Sent as it is, it would be a second system message there.
  const message: Stored = talk.role === 'developer' && carriage.lateNote === 'fenced-user' ? { ...talk, role: 'user' } : talk;
  if (notes !== undefined && message.role === 'tool') {
    throw new InvalidArgumentError('A turn cannot begin with a tool result: the note before it would part it from its call.');
  }
  const { lateNote, leading } = carriage;
  if (leading) return push(list, wireOf(message), carriage);
  if (lateNote !== 'fenced-user') {
    if (notes !== undefined) list.push({ role: lateNote, content: noteText(notes) });
    return push(list, wireOf(message), carriage);
  }
  if (message.role !== 'user') {
    if (notes !== undefined) push(list, fenceAlone(message, notes), carriage, true);
    return push(list, wireOf(message), carriage);
  }
  push(list, withFence(message, notes), carriage, notes !== undefined);
}

/** A message that holds nothing of ours goes as it is. */
export function wireOf(message: ChatMessage): ChatMessage {
  return message.id === undefined && message.origin === undefined && message.sender === undefined ? message : toWire(message);
}

function push(list: ChatMessage[], message: ChatMessage, { mergeRuns }: Carriage, opensWithNote = false): void {
  const last = list.at(-1);
  if (mergeRuns && last?.role === 'tool' && message.role === 'user') list.push(SEPARATOR, message);
  else if (!mergeRuns || last === undefined || message.role !== last.role || !joins(last, message)) list.push(message);
  else if (opensWithNote) list.push(SEPARATOR, message);
  else list[list.length - 1] = { ...last, ...message, content: joinContent(last.content, message.content) };
}

function joins(last: ChatMessage, message: ChatMessage): boolean {
  return message.role === 'user' || (message.role === 'assistant' && !last.tool_calls?.length);
}

function joinContent(first: ChatMessage['content'], second: ChatMessage['content']): ChatMessage['content'] {
  if (!first) return second;
  if (!second) return first;
  if (typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`;
  const parts = (content: NonNullable<ChatMessage['content']>) =>
    typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return [...parts(first), ...parts(second)];
}

/** What the system prompt says in every turn. */
export function stableText(stable: Parts, { lateNote, leading }: Carriage): string {
  const rule = !leading && lateNote === 'fenced-user' ? FENCE_RULE : '';
  return joinTexts([joinStable(stable), rule]);
}

/**
 * The request: system prompt, the list of messages, tools by name.
 *
 * @param stable - As {@link stableText} gives it.
 * @param before - The system prompt of the request before: the same one when it says the same, so that it is known again.
 * @param join - Makes one list of both; a new one unless told otherwise.
 */
export function finish(
  layout: Layout,
  list: readonly ChatMessage[],
  { leading, completion }: Carriage,
  stable: string,
  before?: ChatMessage,
  join: (head: ChatMessage | undefined, list: readonly ChatMessage[]) => readonly ChatMessage[] = joined,
): Pick<ModelRequest, 'messages' | 'tools'> & { readonly head: ChatMessage | undefined } {
  const system = leading ? joinTexts([stable, ...orderParts(layout.volatile, VOLATILE_ORDER).map(([, text]) => text)]) : stable;
  const head =
    before?.content === system ? before : system === '' ? undefined : Object.freeze({ role: 'system' as const, content: system });
  const messages = join(head, list);
  const tools = [...layout.tools].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return { messages: completion ? [asCompletion(messages)] : messages, tools, head };
}

function joined(head: ChatMessage | undefined, list: readonly ChatMessage[]): readonly ChatMessage[] {
  return (head ? [head] : []).concat(list as ChatMessage[]); // copies far faster than a spread
}

function joinTexts(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

const LIKE_A_LABEL = /^(?=(?:system|developer|user|assistant|tool):)/gim;

// A line of a message that reads like a label of another message is moved in by one blank, so that it is none.
function asCompletion(messages: readonly ChatMessage[]): ChatMessage {
  const lines = messages.map((message) => {
    if (message.role === 'system') return textOf(message);
    const calls = (message.tool_calls ?? []).map((call) => `\n(calls ${call.function.name} ${call.function.arguments})`).join('');
    return `${message.role}: ${`${textOf(message)}${calls}`.replace(LIKE_A_LABEL, ' ')}`;
  });
  return { role: 'user', content: `${lines.join('\n\n')}\n\nassistant:` };
}
