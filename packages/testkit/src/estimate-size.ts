import type { ModelRequest } from '@x/core';

/** Tokens of a text, roughly: a quarter of its UTF-8 bytes, which also holds for scripts that need more than one byte. */
export function roughTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** Tokens of a request, roughly: messages and tools as JSON. */
export function roughRequestTokens({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): number {
  const specs = tools.map(({ name, description }) => `${name} ${description}`).join('\n');
  return roughTokens(JSON.stringify(messages)) + roughTokens(specs);
}
