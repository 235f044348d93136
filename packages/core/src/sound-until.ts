import type { ChatMessage } from './messages.js';

/**
 * How far a talk is sound: no system message in it, and behind each message that calls the results of its calls, in
 * their order, each once. A quick look that is enough for nearly every history.
 *
 * @param from - Where a message begins that is no result; what stands before it is known to be sound.
 * @returns The length of the list when all of it is sound, else the place of the message at which it is not.
 */
export function soundUntil(messages: readonly ChatMessage[], from = 0): number {
  for (let at = from; at < messages.length; at += 1) {
    const begin = at;
    const { role, tool_calls: calls } = messages[at]!;
    if (role === 'tool' || role === 'system' || role === 'developer') return begin;
    if (!calls || role !== 'assistant') continue;
    for (const [index, { id }] of calls.entries()) {
      at += 1;
      const result = messages[at];
      if (
        typeof id !== 'string' ||
        id === '' ||
        result?.role !== 'tool' ||
        result.tool_call_id !== id ||
        calls.findIndex((call) => call.id === id) !== index
      )
        return begin;
    }
  }
  return messages.length;
}
