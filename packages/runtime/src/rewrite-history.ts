import { type ChatMessage, type MessageIssue, type Stored, toWire, validateMessages } from '@x/core';
import { HookResultInvalidError } from './errors.js';

/** History and running turn after a hook replaced the list. */
export interface Rewritten {
  readonly history: readonly Stored[];
  readonly current: readonly [Stored, ...Stored[]];
  /** False when the history is the old one, perhaps with messages added behind it. */
  readonly folded: boolean;
}

/**
 * Takes a list that a `beforeLLM` hook returned. A message that equals an old one on the wire is that message and keeps
 * its id and origin; one with a known id and other content keeps id and sender, and is `synthetic`, since nobody said it
 * so; all others are new and `synthetic`. The input divides history from running turn.
 *
 * @returns `undefined` when nothing changed.
 * @throws {@link HookResultInvalidError} the input is missing or a call lost its result.
 */
export function rewriteHistory(
  old: { readonly history: readonly Stored[]; readonly current: readonly [Stored, ...Stored[]] },
  returned: readonly ChatMessage[],
  { hook, newId }: { readonly hook: string; readonly newId: () => string },
): Rewritten | undefined {
  const before = [...old.history, ...old.current];
  if (returned.length === before.length && returned.every((message, index) => message === before[index])) return undefined;
  const input = old.current[0];
  const list = adopt(before, returned, newId);
  const at = list.indexOf(input);
  if (at < 0) throw new HookResultInvalidError({ hook, problem: 'the user message of this turn is missing or was edited' });
  const issue: MessageIssue | undefined = validateMessages(list)[0];
  if (issue) throw new HookResultInvalidError({ hook, problem: `message ${issue.index}: ${issue.message}` });
  const history = list.slice(0, at);
  const folded = history.length < old.history.length || old.history.some((message, index) => history[index] !== message);
  const current: readonly [Stored, ...Stored[]] = [input, ...list.slice(at + 1)];
  const same = history.length === old.history.length && !folded && sameList(current, old.current);
  return same ? undefined : { history, current, folded };
}

function adopt(before: readonly Stored[], returned: readonly ChatMessage[], newId: () => string): Stored[] {
  const byReference = new Set<ChatMessage>(before);
  const byId = new Map(before.map((message) => [message.id, message]));
  const taken = new Set<Stored>(returned.filter((message): message is Stored => byReference.has(message)));
  let byWire: Map<string, Stored[]> | undefined;
  const list = returned.map((message): Stored => {
    if (byReference.has(message)) return message as Stored;
    const known = message.id === undefined ? undefined : byId.get(message.id);
    if (known && !taken.has(known)) {
      taken.add(known);
      return wireKey(known) === wireKey(message) ? known : edited(known, message);
    }
    byWire ??= group(before);
    const equal = byWire.get(wireKey(message))?.find((candidate) => !taken.has(candidate));
    if (equal) {
      taken.add(equal);
      return equal;
    }
    // A second system prompt would be refused by most providers, so added guidance travels as a synthetic user message.
    const role = message.role === 'system' || message.role === 'developer' ? 'user' : message.role;
    return { ...toWire(message), role, id: newId(), origin: 'synthetic' };
  });
  return list;
}

function edited({ id, sender }: Stored, message: ChatMessage): Stored {
  return { ...toWire(message), id, origin: 'synthetic', ...(sender && { sender }) };
}

function group(messages: readonly Stored[]): Map<string, Stored[]> {
  const groups = new Map<string, Stored[]>();
  for (const message of messages) {
    const key = wireKey(message);
    const list = groups.get(key);
    if (list) list.push(message);
    else groups.set(key, [message]);
  }
  return groups;
}

function wireKey({ role, content, tool_calls, tool_call_id }: ChatMessage): string {
  return JSON.stringify([role, content, tool_calls?.length ? tool_calls : null, tool_call_id ?? null]);
}

function sameList(a: readonly Stored[], b: readonly Stored[]): boolean {
  return a.length === b.length && a.every((message, index) => message === b[index]);
}
