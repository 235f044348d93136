/** The library's own limit, out of the way of ours: the longest that a JavaScript timer can wait. */
export const LIBRARY_TIMEOUT_MS = 2_147_483_647;

/** Characters of a request, without writing it out once more: an upper bound for its tokens needs no more. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length * 3;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 2;
  for (const [key, item] of Object.entries(value)) size += key.length + 4 + sizeOf(item);
  return size;
}

/** True when a message holds something whose tokens its length does not tell. */
export function hasMedia(messages: readonly { readonly content: unknown }[]): boolean {
  return messages.some(({ content }) => Array.isArray(content) && content.some((part) => (part as { type?: unknown }).type !== 'text'));
}
