import type { ModelEvent, ModelRequest } from '@x/core';

/** What a dialect needs to know to write one answer. */
export interface AnswerOptions {
  /** The answer's id on the wire. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly createdS: number;
  readonly model: string;
  /** Whether the client asked for token counts in the stream. */
  readonly includeUsage: boolean;
  /** Replaces the finish reason; `absent` leaves it out. */
  readonly finish?: string | null | 'absent' | undefined;
  readonly noIds: boolean;
  readonly noDone: boolean;
}

/** One wire format: how a body is read and how an answer is written. */
export interface Dialect {
  readonly name: 'openai' | 'anthropic';
  /** The model and what it was asked, from a parsed body. Fields that are not understood are ignored. */
  readRequest(body: Body): ModelRequest;
  isStream(body: Body): boolean;
  wantsUsage(body: Body): boolean;
  /** Frames of a server-sent event stream, each with its closing blank line. */
  frames(events: AsyncIterable<ModelEvent>, options: AnswerOptions): AsyncIterable<string>;
  /** The same answer as one JSON object. */
  whole(events: readonly ModelEvent[], options: AnswerOptions): unknown;
  /** An error body. */
  error(error: { readonly status: number; readonly code: string; readonly message: string }): unknown;
  /** The frame of an error inside a stream. */
  errorFrame(message: string): string;
}

/** A parsed JSON body. */
export type Body = { readonly [field: string]: unknown };

/** Narrows to an object that is not an array. */
export function isRecord(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text in pieces of at most `size` characters, never inside a surrogate pair. */
export function piecesOf(text: string, size: number): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const char of text) {
    piece += char;
    if (piece.length >= size) {
      pieces.push(piece);
      piece = '';
    }
  }
  if (piece !== '') pieces.push(piece);
  return pieces;
}
