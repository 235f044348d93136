import { type ChatMessage, SUMMARY_OPENING, textOf } from '@x/core';

/** The newest texts of people and persona, oldest first, `input` last; what the machine put in is not among them. */
export function recentTexts(history: readonly ChatMessage[], input: string, depth: number): readonly string[] {
  if (depth === 0) return [];
  const texts = [input];
  for (let index = history.length - 1; index >= 0 && texts.length < depth; index -= 1) {
    const message = history[index]!;
    const { role, origin = role } = message;
    if ((role !== 'user' && role !== 'assistant') || origin !== role || isSynthetic(message)) continue;
    const text = textOf(message);
    if (text !== '') texts.unshift(text);
  }
  return texts;
}

/** True for what the machine put in. A fold's summary that was stored as plain JSON has no origin any more, but its opening. */
export function isSynthetic({ role, origin, content }: ChatMessage): boolean {
  if (origin !== undefined) return origin === 'synthetic';
  return role === 'user' && textOf({ content }).startsWith(SUMMARY_OPENING);
}
