import type { ChatMessage } from './messages.js';
import { isStateNote } from './state-notes.js';

export interface MessageIssue {
  readonly code: 'orphan_result' | 'missing_result' | 'duplicate_call_id' | 'duplicate_result' | 'system_not_first' | 'call_without_id';
  /** Position in the list, from 0. */
  readonly index: number;
  readonly message: string;
}

/**
 * Checks what every provider demands of a message list: each tool call is answered exactly once, directly after the
 * assistant message that made it; no result stands without its call; one system prompt at most, at
 * index 0. A late state note, as `layoutMessages` makes it where late system messages are accepted, is none.
 *
 * @returns The faults in order; an empty list means that the messages may leave the process.
 */
export function validateMessages(messages: readonly ChatMessage[]): readonly MessageIssue[] {
  const issues: MessageIssue[] = [];
  const report = (code: MessageIssue['code'], index: number, message: string): void => void issues.push({ code, index, message });
  let open = new Map<string, number>();
  let answered = new Set<string>();
  const close = (): void => {
    if (open.size === 0) return;
    for (const [id, index] of open) report('missing_result', index, `call ${id} has no result before the next message`);
    open = new Map();
  };
  messages.forEach((message, index) => {
    if (message.role === 'tool') {
      const id = message.tool_call_id ?? '';
      if (open.delete(id)) answered.add(id);
      else if (answered.has(id)) report('duplicate_result', index, `call ${id} was answered already`);
      else report('orphan_result', index, `the result names call ${id || '(none)'}, which the assistant message before it did not make`);
      return;
    }
    close();
    if (answered.size > 0) answered = new Set();
    if (message.role === 'system' && index > 0 && !isStateNote(message))
      report('system_not_first', index, 'a system message stands after index 0');
    // Nearly no message has calls, and this runs over all of them for each request.
    if (message.role !== 'assistant' || !message.tool_calls) return;
    for (const call of message.tool_calls) {
      if (!call.id) report('call_without_id', index, `the call of ${call.function.name} has no id`);
      else if (open.has(call.id)) report('duplicate_call_id', index, `two calls share the id ${call.id}`);
      else open.set(call.id, index);
    }
  });
  close();
  return issues.sort((a, b) => a.index - b.index);
}
