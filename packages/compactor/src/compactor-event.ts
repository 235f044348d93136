import type { ChatMessage, ToolSpec, Turn } from '@x/core';

/** What a compactor is given: the list that is about to go to a model, and what travels beside it. */
export interface CompactorEvent<M extends object = ChatMessage> {
  readonly messages: readonly M[];
  readonly tools?: readonly ToolSpec[] | undefined;
  readonly model?: string | undefined;
  readonly turn?: number | undefined;
  /** Tokens of system prompt, tools and notes that are not in `messages`; without it `tools` are counted. */
  readonly overheadTokens?: number | undefined;
  readonly context?: Turn | undefined;
  /** What a provider counted for an earlier request of the very messages that this list begins with. A hint: never below our own count, and ignored when it cannot be true. */
  readonly usage?: { readonly inputTokens: number; readonly of: readonly object[] } | undefined;
}

/** The tools of an event with their names: a list in our shape or a provider's, or the AI SDK's object of tools by name. */
export function toolsOf({ tools }: CompactorEvent<object>): readonly { readonly name: unknown; readonly tool: object }[] {
  const list: readonly (readonly [name: string | undefined, tool: unknown])[] = Array.isArray(tools)
    ? tools.map((tool: unknown) => [undefined, tool])
    : Object.entries(tools ?? {});
  return list.flatMap(([key, tool]) => {
    if (typeof tool !== 'object' || tool === null) return [];
    const { name, function: target } = tool as { readonly name?: unknown; readonly function?: { readonly name?: unknown } | null };
    return [{ name: name ?? target?.name ?? key, tool }];
  });
}
