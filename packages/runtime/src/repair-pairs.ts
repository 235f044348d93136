import { asTalk, type Stored, soundUntil, type ToolCall } from '@x/core';

/** What a call is answered with when its own result was lost. */
export const LOST_RESULT = 'No result was recorded: the run that made this call was cut off. Whether it took effect is unknown.';

/**
 * Closes what another writer or an older version left open: a call without a result gets one that says so, a result
 * without its call and a second result of the same call are dropped. So are system messages, but for a summary that
 * another system stored as one.
 *
 * @returns The same list when there is nothing to repair.
 */
export function repairPairs(messages: readonly Stored[]): readonly Stored[] {
  const sound = soundUntil(messages);
  if (sound === messages.length) return messages;
  const repaired = messages.slice(0, sound);
  let changed = false;
  for (let index = sound; index < messages.length; index += 1) {
    const stored = messages[index]!;
    const message = asTalk(stored);
    if (message === undefined || message.role === 'tool') {
      changed = true; // a result is taken with its call below, so one met here has none; a system prompt is never stored
      continue;
    }
    if (message !== stored) {
      changed = true;
      repaired.push({ ...message, origin: 'synthetic' });
      continue;
    }
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
    if (calls.length === 0) {
      repaired.push(message);
      continue;
    }
    const unique = distinctCalls(calls);
    if (unique.length !== calls.length) changed = true;
    repaired.push(unique.length === calls.length ? message : { ...message, tool_calls: unique });
    const open = new Map(unique.map((call) => [call.id, true]));
    while (messages[index + 1]?.role === 'tool') {
      index += 1;
      const result = messages[index]!;
      if (open.delete(result.tool_call_id ?? '')) repaired.push(result);
      else changed = true;
    }
    for (const [callId] of open) {
      changed = true;
      repaired.push({ id: `${message.id}:${callId}`, role: 'tool', tool_call_id: callId, content: LOST_RESULT, origin: 'synthetic' });
    }
  }
  return changed ? repaired : messages;
}

function distinctCalls(calls: readonly ToolCall[]): readonly ToolCall[] {
  const seen = new Set<string>();
  return calls.filter((call) => {
    if (!call.id || seen.has(call.id)) return false;
    seen.add(call.id);
    return true;
  });
}
