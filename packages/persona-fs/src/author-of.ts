import type { Sender, ToolContext } from '@x/core';
import type { Author } from './memory-journal.js';
import { strangerOf } from './stranger-of.js';

/** Whose words lie behind a tool call. A beat and a turn without a named sender are the owner's. */
export function authorOf(context: ToolContext, senderOf?: (context: ToolContext) => Sender | undefined): Author {
  const { turn } = context;
  const named = senderOf?.(context);
  const stranger = strangerOf(turn, named);
  const kind = turn === undefined ? 'host' : turn.origin === 'heartbeat' ? 'heartbeat' : 'user';
  if (stranger !== undefined) return { kind, sender: stranger.id, owner: false };
  return { kind, sender: named?.id ?? turn?.input.sender?.id, owner: true };
}
