/** The library's own limit, out of the way of ours: the longest that a JavaScript timer can wait. */
export const LIBRARY_TIMEOUT_MS = 2_147_483_647;

/**
 * True when a request, written out, has at least that many bytes, without writing it out once more: an upper bound for its tokens
 * needs no more. It looks no further than it has to.
 */
export function isAsLongAs(value: unknown, bytes: number): boolean {
  return lacking(value, bytes) <= 0;
}

function lacking(value: unknown, bytes: number): number {
  if (typeof value === 'string') return bytes - value.length * 3;
  if (typeof value !== 'object' || value === null) return bytes - 8;
  let left = bytes - 2;
  if (Array.isArray(value)) for (let index = 0; index < value.length && left > 0; index += 1) left = lacking(value[index], left - 4);
  else
    for (const key in value) {
      if (left <= 0) break;
      left = lacking((value as Readonly<Record<string, unknown>>)[key], left - key.length - 4);
    }
  return left;
}

/** True when a message holds something whose tokens its length does not tell. */
export function hasMedia(messages: readonly { readonly content: unknown }[]): boolean {
  return messages.some(({ content }) => Array.isArray(content) && content.some((part) => (part as { type?: unknown }).type !== 'text'));
}
