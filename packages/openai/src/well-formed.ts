const LONE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** The text without halves of a surrogate pair, which no provider can read. */
export function wellFormed(text: string): string {
  const native = text as { isWellFormed?: () => boolean };
  return native.isWellFormed?.() ? text : text.replace(LONE, '\uFFFD');
}

/** A JSON value whose texts are all well formed; the same object when nothing had to change. */
export function wellFormedDeep<T>(value: T): T {
  if (typeof value === 'string') return wellFormed(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  let changed = false;
  const keep = (item: unknown): unknown => {
    const kept = wellFormedDeep(item);
    if (kept !== item) changed = true;
    return kept;
  };
  const copy = Array.isArray(value) ? value.map(keep) : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, keep(item)]));
  return changed ? (copy as T) : value;
}
