/** What a model thought before it called tools, by the id of its first call. */
export interface ReasoningMemory<T> {
  set(callIds: readonly string[], reasoning: T): void;
  get(callId: string): T | undefined;
}

// A turn makes some dozens of calls at most, and only those of running turns are asked for. The figure is ours.
const MOST_KEPT = 512;

/**
 * Keeps the newest reasoning for endpoints that want it back with the calls it led to. It lives as long as the model's
 * client: a turn that goes on in another process is sent without it.
 */
export function createReasoningMemory<T>(): ReasoningMemory<T> {
  const kept = new Map<string, T>();
  return {
    set(callIds, reasoning) {
      const [first] = callIds;
      if (first === undefined) return;
      kept.delete(first);
      kept.set(first, reasoning);
      for (const oldest of kept.keys()) {
        if (kept.size <= MOST_KEPT) break;
        kept.delete(oldest);
      }
    },
    get: (callId) => kept.get(callId),
  };
}
