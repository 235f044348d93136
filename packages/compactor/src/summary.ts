import type { ChatMessage } from '@x/core';
import type { FailureCode } from './events.js';
import type { Fact } from './facts.js';

/** What a summariser is told beside the messages. */
export interface SummarizeContext {
  /** Aborted at the time-out and when the turn is; a call to a model should get it. */
  readonly signal: AbortSignal;
  /** Which part of how many; 1 of 1 where everything fits into one call. */
  readonly part: number;
  readonly parts: number;
  /** True for the call that joins the summaries of the parts. */
  readonly merging: boolean;
  /** Tokens that the summary may have. */
  readonly maxTokens: number;
  /** A prompt for a model: the messages as quoted data, then what to do. Send it as the only user message, without tools. */
  readonly prompt: string;
}

/** A summary, and how its model ended: anything but `stop` counts as unfinished. */
export type Summary =
  | string
  | {
      readonly text: string;
      readonly finish?: string | undefined;
      readonly facts?: readonly (string | Fact)[] | undefined;
      /** Words that it must contain where the option `sections` is not set: what its model was asked for. */
      readonly sections?: readonly string[] | undefined;
    };

/**
 * Makes a summary of older messages, which are a copy; a summary of even older ones comes first, as a user message that
 * opens with `[Summary of earlier conversation]`. May call a model.
 */
export type Summarize = {
  // A method, so that a host may name the messages by a type of its own.
  call(older: ChatMessage[], context: SummarizeContext): Summary | Promise<Summary>;
}['call'];

/** A summary that was taken, and how many calls it took. */
export interface Summarised {
  readonly text: string;
  readonly facts: readonly (string | Fact)[];
  readonly calls: number;
}

/** Says why a text is not good enough, or `undefined` when it is. */
export interface Accept {
  (text: string): FailureCode | undefined;
  rejected(code: FailureCode, attempt: number): void;
}
