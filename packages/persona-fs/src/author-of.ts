import type { Sender, ToolContext } from '@x/core';
import type { Author } from './memory-journal.js';

/**
 * Whose words lie behind a tool call. A turn that holds a message of somebody who is no owner counts as that
 * person's, whoever began it: what a stranger wrote must not become memory of the owner's rank. A beat and a turn
 * without a named sender are the owner's.
 */
export function authorOf(context: ToolContext, senderOf?: (context: ToolContext) => Sender | undefined): Author {
  const { turn } = context;
  const named = senderOf?.(context);
  const senders = [named, turn?.input.sender, ...(turn?.layout.current ?? []).map((message) => message.sender)];
  const stranger = senders.find((sender) => sender?.owner === false);
  const kind = turn === undefined ? 'host' : turn.origin === 'heartbeat' ? 'heartbeat' : 'user';
  if (stranger !== undefined) return { kind, sender: stranger.id, owner: false };
  return { kind, sender: named?.id ?? turn?.input.sender?.id, owner: true };
}
