import { generate, type IChatModel, layoutMessages, type Stored } from '@x/core';
import { ModelReplyError } from './not-supported-error.js';

/** Most characters of a text that go to the model; longer ones are cut at a character, and the prompt says so. */
export const MOST_CHARS = 8000;

export interface Question {
  /** What it is about, for the error. */
  readonly what: string;
  readonly task: string;
  /** Data for the task; cut beyond {@link MOST_CHARS}. */
  readonly text: string;
  readonly temperature: number;
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Asks a model one thing, laid out as its endpoint takes it.
 *
 * @throws {@link ModelReplyError} the model did not finish its reply.
 */
export async function askModel(model: IChatModel, question: Question): Promise<string> {
  const { what, task, text, temperature, maxOutputTokens, signal } = question;
  const input: Stored = { id: 'question', role: 'user', origin: 'internal', content: cutText(text, MOST_CHARS) };
  const layout = { stable: { system: task }, tools: [], history: [], blocks: [], volatile: {}, current: [input] as const };
  const request = { ...layoutMessages(layout, model.capabilities), temperature, maxOutputTokens };
  const { text: reply, finish } = await generate(model, request, { signal });
  if (finish !== 'stop') throw new ModelReplyError(what, { finish });
  return reply;
}

/** The beginning of a text, never half a character, with a note of how much is left out. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  return `${kept}\n[cut: ${text.length - kept.length} more characters]`;
}
