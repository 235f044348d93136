import { SUMMARY_OPENING } from '@x/core';
import { spokenText } from './dialect.js';

/** How a reminder to save facts opens. */
export const REMINDER_OPENING = '[Note of this system before older messages are summarised]';
/** Words that every reminder holds, in the older form too. */
export const REMINDER_WORDS = 'save it with the memory tool';

/** True for a fold's message and for a summary in the older form, a system message. */
export function isSummaryMessage(message: object): boolean {
  return startsWith(message, SUMMARY_OPENING);
}

/** True for a reminder to save facts, ours or in the older form. Who wrote it is for the caller to check. */
export function isReminder(message: object): boolean {
  if (startsWith(message, REMINDER_OPENING)) return true;
  return (message as { role?: unknown }).role === 'system' && spokenText(message).includes(REMINDER_WORDS);
}

function startsWith(message: object, opening: string): boolean {
  const { content } = message as { content?: unknown };
  return typeof content === 'string' ? content.startsWith(opening) : Array.isArray(content) && spokenText(message).startsWith(opening);
}
