import type { Fields } from './read-answer.js';

/** What an endpoint of the OpenAI kind may want back with the calls of an answer. */
export interface KeptThinking {
  /** Its reasoning as text. */
  readonly reasoning: string;
  /** Its reasoning in blocks, as OpenRouter has it; signatures stand in them. */
  readonly details: readonly Fields[];
  /** What stood beside a call, by its id, such as the signature that Gemini demands. */
  readonly extras: { readonly [callId: string]: unknown };
}

/** What a model thought before it called tools, by the ids of its calls. */
export interface ReasoningMemory<T> {
  set(callIds: readonly string[], reasoning: T): void;
  get(callId: string): T | undefined;
}

// A turn makes some dozens of calls at most, and only those of running turns are asked for. The figure is ours.
const MOST_KEPT = 512;

/**
 * Keeps the reasoning of the newest calls for endpoints that want it back with them. It lives as long as the model's
 * client: a turn that goes on in another process is sent without it.
 */
export function createReasoningMemory<T>(): ReasoningMemory<T> {
  const kept = new Map<string, T>();
  return {
    set(callIds, reasoning) {
      for (const id of callIds) {
        kept.delete(id);
        kept.set(id, reasoning);
      }
      for (const oldest of kept.keys()) {
        if (kept.size <= MOST_KEPT) break;
        kept.delete(oldest);
      }
    },
    get: (callId) => kept.get(callId),
  };
}

/** The blocks of reasoning from their pieces: a block comes in pieces of one index and type, its signature in the last of them. */
export function joinDetails(pieces: readonly Fields[]): readonly Fields[] {
  const blocks: { [field: string]: unknown }[] = [];
  for (const piece of pieces) {
    const last = blocks.at(-1);
    const field = piece['type'] === 'reasoning.text' ? 'text' : piece['type'] === 'reasoning.summary' ? 'summary' : undefined;
    if (field === undefined || last === undefined || last['type'] !== piece['type'] || last['index'] !== piece['index']) {
      blocks.push({ ...piece });
      continue;
    }
    const text = textIn(last[field]) + textIn(piece[field]);
    for (const [name, value] of Object.entries(piece)) if (value !== null && value !== undefined) last[name] = value;
    last[field] = text;
  }
  return blocks;
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
