import { type ChatMessage, commonLength, type MessageIssue, validateMessages } from '@x/core';

/** Finds the first fault of a list, or none. */
export type MessageCheck = (messages: readonly ChatMessage[]) => MessageIssue | undefined;

/**
 * Makes `validateMessages` for requests that grow: what stood in the last valid list is not looked at again. Messages are
 * known by identity, so they must be frozen, as those of a request layout are.
 */
export function createMessageCheck(): MessageCheck {
  // A list of its own: that of a request may be the one of the next request.
  const valid: ChatMessage[] = [];
  return (messages) => {
    const from = lastUser(messages, commonLength(valid, messages));
    const [issue] = validateMessages(from === 0 ? messages : messages.slice(from));
    if (issue) return { ...issue, index: issue.index + from };
    valid.length = Math.min(valid.length, from);
    for (let index = valid.length; index < messages.length; index += 1) valid.push(messages[index]!);
    return undefined;
  };
}

/** The last of the first `count` messages before which nothing can be open: whatever was, had to be closed there. */
function lastUser(messages: readonly ChatMessage[], count: number): number {
  let index = Math.max(0, count - 1);
  while (index > 0 && messages[index]?.role !== 'user') index -= 1;
  return index;
}
