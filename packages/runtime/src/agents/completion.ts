import { InvalidArgumentError } from '@x/core';
import type { ToolCallRecord } from '../session-types.js';

export interface Attempt {
  readonly text: string;
  /** Of all attempts so far. */
  readonly toolCalls: readonly ToolCallRecord[];
}

/** A check that an answer must pass; else the agent is told why and tries again. */
export interface Completion {
  /** True, or `ok: true`, accepts. */
  verify(attempt: Attempt): Verdict | Promise<Verdict>;
  /** 1 or more; the first try counts. */
  readonly maxAttempts: number;
}

export type Verdict = boolean | { readonly ok: boolean; readonly reason?: string | undefined };

/** @throws {@link InvalidArgumentError} */
export function checkCompletion({ maxAttempts }: Completion): void {
  if (!Number.isInteger(maxAttempts) || maxAttempts < 1)
    throw new InvalidArgumentError('completion.maxAttempts must be a whole number, 1 or more.');
}

/** What the agent is told after an answer that did not pass. */
export function retryPrompt(verdict: Verdict): string {
  const reason = typeof verdict === 'object' ? verdict.reason : undefined;
  return `Your answer was checked and is not complete${reason ? `: ${reason}` : '.'}\nGo on until it is.`;
}

export function accepts(verdict: Verdict): boolean {
  return typeof verdict === 'object' ? verdict.ok : verdict;
}
