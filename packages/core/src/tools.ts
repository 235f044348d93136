import type { Json } from './json.js';
import type { Turn } from './turn.js';

/** What a model is told of a tool. */
export interface ToolSpec {
  /** 1 to 64 letters, digits, dashes and underscores. */
  readonly name: string;
  readonly description: string;
  /** A plain JSON Schema object, or any Standard Schema (zod, arktype, valibot). */
  readonly inputSchema: unknown;
}

/** What a tool gives back: text, or text with a mark that it failed and data for the host. */
export type ToolResult =
  | string
  | {
      readonly output: string;
      readonly isError?: boolean | undefined;
      readonly metadata?: { readonly [key: string]: unknown } | undefined;
    };

/** A human's answer to a {@link PendingRequest}. */
export interface Answer {
  readonly id: string;
  readonly ok: boolean;
  readonly value?: Json | undefined;
  readonly reason?: 'declined' | 'cancelled' | 'expired' | undefined;
}

/** What a tool gets beside its arguments. */
export interface ToolContext {
  /** Aborted when the turn is; a tool that waits should stop then. */
  readonly signal?: AbortSignal | undefined;
  readonly callId?: string | undefined;
  /** Under a durable engine: names this call for the world outside, the same each time it is made. Pass it on as idempotency key. */
  readonly key?: string | undefined;
  readonly turn?: Turn | undefined;
  /** Present when the tool runs again after its question was answered. */
  readonly answer?: Answer | undefined;
}

/** Something a model can do. `execute` may throw: the loop turns that into a result marked `isError`. */
export interface ITool<Args = never> extends ToolSpec {
  execute(args: Args, context: ToolContext): ToolResult | Promise<ToolResult>;
  /** How a durable engine may repeat it after a crash; default `once`. */
  readonly repeat?: 'idempotent' | 'keyed' | 'once' | undefined;
  /** Milliseconds until a call is given up; default the session's. `Infinity` for a tool that bounds itself. */
  readonly timeoutMs?: number | undefined;
}

/** A question to a human that parks the turn until it is answered. */
export interface PendingRequest {
  readonly id: string;
  /** Such as `approval`, `question`, `authorization`. */
  readonly kind: string;
  readonly prompt: string;
  readonly url?: string | undefined;
  /** For whoever shows the question; where it has `choices`, a list of texts, the answer's value is one of them. */
  readonly data?: Json | undefined;
  /** Milliseconds since 1970; an answer after it counts as expired. */
  readonly expiresAtMs?: number | undefined;
}

/** The result by which a tool says that it waits for a human. */
export function pending(request: PendingRequest): ToolResult {
  return { output: request.url ? `${request.prompt}\n${request.url}` : request.prompt, isError: true, metadata: { pending: request } };
}

/** The request inside a result made by {@link pending}, else `undefined`. */
export function pendingOf(result: ToolResult): PendingRequest | undefined {
  const request = typeof result === 'string' ? undefined : (result.metadata?.pending as Partial<PendingRequest> | undefined);
  return typeof request?.id === 'string' && typeof request.kind === 'string' && typeof request.prompt === 'string'
    ? (request as PendingRequest)
    : undefined;
}

/** The text of a result and whether it is an error. */
export function resultOf(result: ToolResult): { readonly output: string; readonly isError: boolean } {
  return typeof result === 'string' ? { output: result, isError: false } : { output: result.output, isError: result.isError === true };
}
