import { type ChatMessage, textOf } from '@x/core';
import type { ContextTurn } from './affect.js';

/** A message as hosts keep it; without `origin` a user message counts as genuine. */
export interface HeardMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly origin?: unknown;
}

/** How many turns before a message are read with it. */
const CONTEXT_TURNS = 4;

/** The last turns of a conversation, oldest first: what a person wrote and what was answered, nothing of the machine. */
export function contextTurns(history: readonly HeardMessage[]): readonly ContextTurn[] {
  const turns: ContextTurn[] = [];
  for (let index = history.length - 1; index >= 0 && turns.length < CONTEXT_TURNS; index -= 1) {
    const message = history[index];
    if (message === undefined) continue;
    const text = textOfHeard(message);
    if (isGenuine(message)) turns.unshift({ role: 'user', text });
    else if (message.role === 'assistant' && text !== '') turns.unshift({ role: 'assistant', text });
  }
  return turns;
}

/** True for a message that a person wrote. */
export function isGenuine({ role, origin }: HeardMessage): boolean {
  return role === 'user' && (origin === undefined || origin === 'user');
}

/** The text of a message; empty for one that has none. */
export function textOfHeard(message: HeardMessage): string {
  const { content } = message;
  return typeof content === 'string' || Array.isArray(content) ? textOf(message as ChatMessage) : '';
}
