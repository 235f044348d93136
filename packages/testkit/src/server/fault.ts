import { createRandom } from '../create-random.js';

/** Something that goes wrong with one answer of the loopback server. */
export type Fault =
  /** An answer with this status and an error body; `retryAfter` becomes the header of that name. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter?: string | number | undefined;
      /** The error's code in the body, such as `context_length_exceeded`. */
      readonly code?: string | undefined;
      readonly message?: string | undefined;
    }
  /** Nothing more after this many frames; 0 (default): not even headers. The client has to give up. */
  | { readonly kind: 'hang'; readonly afterFrames?: number | undefined }
  /** The connection breaks after this many frames, in the middle of the next one. Default 1. */
  | { readonly kind: 'cut'; readonly afterFrames?: number | undefined }
  /** The stream ends in good order after this many frames, without its last ones. Default 1. */
  | { readonly kind: 'early-end'; readonly afterFrames?: number | undefined }
  /** The frame of this number, from 0, is half a JSON object. Default 1. */
  | { readonly kind: 'malformed-json'; readonly frame?: number | undefined }
  /** An error object inside the stream, after HTTP 200 and this many frames. Default 1. */
  | { readonly kind: 'in-band-error'; readonly afterFrames?: number | undefined }
  /** All tool calls carry the same id. */
  | { readonly kind: 'duplicate-ids' }
  /** Tool calls carry no id. */
  | { readonly kind: 'no-ids' }
  /** The arguments of tool calls stop in the middle; the finish reason stays as it was. */
  | { readonly kind: 'cut-arguments' }
  /** The finish reason is this one; `absent` leaves the field out. */
  | { readonly kind: 'finish'; readonly finish: string | null | 'absent' }
  /** No frame says that the stream is complete (`[DONE]`). */
  | { readonly kind: 'no-done' }
  /** Comment lines between the frames, as routers send them. */
  | { readonly kind: 'comments' }
  /** The answer arrives in pieces of this many bytes, so that characters and lines are split. Default 1. */
  | { readonly kind: 'split'; readonly bytes?: number | undefined }
  /** These token counts, whatever the truth is. */
  | { readonly kind: 'usage'; readonly inputTokens: number; readonly outputTokens: number };

/** One fault or none per request, in order; after the list's end all goes well. Or a function of the request's number. */
export type FaultScript = readonly (Fault | undefined)[] | ((index: number) => Fault | undefined);

export interface FaultScriptOptions {
  /** How many requests it covers; default 32. */
  readonly length?: number | undefined;
  /** Share of requests with a fault, 0 to 1; default 0.5. */
  readonly rate?: number | undefined;
  /** The kinds to choose from; default all of them. */
  readonly kinds?: readonly Fault['kind'][] | undefined;
}

/**
 * Draws faults by chance; the same seed gives the same ones.
 *
 * @param seed - Any number or text.
 */
export function createFaultScript(
  seed: number | string,
  { length = 32, rate = 0.5, kinds = Object.keys(DRAW) as Fault['kind'][] }: FaultScriptOptions = {},
): readonly (Fault | undefined)[] {
  const random = createRandom(seed);
  const upTo = (count: number): number => Math.floor(random() * count);
  return Array.from({ length }, () => {
    if (random() >= rate) return undefined;
    const kind = kinds[upTo(kinds.length)];
    return kind === undefined ? undefined : DRAW[kind](upTo);
  });
}

const STATUSES = [408, 429, 429, 500, 502, 503, 529, 400, 401, 404] as const;
const FINISHES = ['stop', 'length', 'tool_calls', 'content_filter', '', null, 'absent', 'eos'] as const;

const DRAW: { readonly [Kind in Fault['kind']]: (upTo: (count: number) => number) => Fault } = {
  status: (upTo) => {
    const status = STATUSES[upTo(STATUSES.length)] ?? 500;
    return status === 429 ? { kind: 'status', status, retryAfter: upTo(3) } : { kind: 'status', status };
  },
  hang: (upTo) => ({ kind: 'hang', afterFrames: upTo(4) }),
  cut: (upTo) => ({ kind: 'cut', afterFrames: upTo(6) }),
  'early-end': (upTo) => ({ kind: 'early-end', afterFrames: upTo(6) }),
  'malformed-json': (upTo) => ({ kind: 'malformed-json', frame: upTo(4) }),
  'in-band-error': (upTo) => ({ kind: 'in-band-error', afterFrames: upTo(4) }),
  'duplicate-ids': () => ({ kind: 'duplicate-ids' }),
  'no-ids': () => ({ kind: 'no-ids' }),
  'cut-arguments': () => ({ kind: 'cut-arguments' }),
  finish: (upTo) => ({ kind: 'finish', finish: FINISHES[upTo(FINISHES.length)] ?? null }),
  'no-done': () => ({ kind: 'no-done' }),
  comments: () => ({ kind: 'comments' }),
  split: (upTo) => ({ kind: 'split', bytes: 1 + upTo(7) }),
  usage: (upTo) => ({ kind: 'usage', inputTokens: [0, 999_999_999][upTo(2)] ?? 0, outputTokens: 0 }),
};
