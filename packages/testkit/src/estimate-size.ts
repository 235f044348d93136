import { estimateTextTokens, estimateTokens, type ModelRequest } from '@x/core';

/** Tokens of a text, as the whole house estimates them. */
export const textTokens = (text: string): number => estimateTextTokens(text);

/** Tokens of a request: messages and tools. */
export const requestTokens = ({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): number => estimateTokens(messages, { tools });
