import { type ChatMessage, type Clock, InvalidArgumentError, systemClock } from '@x/core';
import type { CompactionEvent } from './events.js';
import type { Fact } from './facts.js';
import type { Summarize } from './summary.js';

/** What left with a fold, for a host that keeps the original. */
export interface ArchiveEntry {
  /** Number of the fold; 0 for a pruning or shortening between folds. */
  readonly revision: number;
  /** The list as it was, and as it is now. */
  readonly before: readonly object[];
  readonly after: readonly object[];
}

/** What a function of the host gets beside its work. */
export interface Waiting {
  /** Aborted at the time-out and when the turn is: nobody waits any more. */
  readonly signal: AbortSignal;
}

export interface CompactorOptions {
  /**
   * Tokens that a request may have; above that something is done. Leave room for the answer and, with `flushToMemory`,
   * for one more step: at most 0.8 × (context window − output tokens).
   */
  readonly maxTokens: number;
  /** Tokens at the end of the conversation that stay word for word, at least; default half of `maxTokens`. */
  readonly keepTail?: number | undefined;
  /** Makes the summary. May call a model; this package never does by itself. */
  readonly summarize: Summarize;
  /** Asked when `summarize` failed, before the fold is given up; default none. `extractiveSummary` needs no model. */
  readonly fallback?: Summarize | undefined;
  /** Counts the tokens of messages; must add up message by message. Default `estimateTokens`. */
  readonly countTokens?: ((messages: readonly object[]) => number) | undefined;
  /**
   * Lets the model save facts before they leave: where a tool named `memory` is present, the first call over budget only
   * adds a reminder, and the next one folds. Default false.
   */
  readonly flushToMemory?: boolean | undefined;
  /**
   * Facts of the messages that leave, by a means of yours; takes the place of the reminder. When it throws, the fold goes
   * on with what the rules of the ledger find, which is saved all the same: a list over its budget cannot wait for it.
   */
  readonly extract?:
    | ((older: ChatMessage[], waiting: Waiting) => readonly (string | Fact)[] | Promise<readonly (string | Fact)[]>)
    | undefined;
  /**
   * Awaited with every new fact, also those that find no room in the ledger, before the messages that they come from
   * leave; when it throws, nothing changes. Not called when there is none.
   */
  readonly saveFacts?: ((facts: readonly Fact[], waiting: Waiting) => void | Promise<void>) | undefined;
  /**
   * Awaited with what is replaced before it is; when it throws, nothing changes. `restore` puts the original together
   * again. Keep no entry whose signal was aborted: that replacement did not happen.
   */
  readonly archive?: ((entry: ArchiveEntry, waiting: Waiting) => void | Promise<void>) | undefined;
  readonly onEvent?: ((event: CompactionEvent) => void) | undefined;
  /** Tokens that the model accepts; default 1.25 × `maxTokens`. Above it nothing waits for a reminder. */
  readonly windowTokens?: number | undefined;
  /** Tokens that `summarize` accepts in one call; default `windowTokens`, at least 16,000. More is summarised in parts. */
  readonly summarizeWindowTokens?: number | undefined;
  /** Milliseconds for one call of `summarize`; default 60,000. */
  readonly summarizeTimeoutMs?: number | undefined;
  /** Milliseconds for one call of `extract`, `saveFacts` or `archive`; default 60,000. */
  readonly hostTimeoutMs?: number | undefined;
  /** Most tokens of a summary; default an eighth of `maxTokens`, between 32 and 2,000. */
  readonly summaryTokens?: number | undefined;
  /** Most tokens of the ledger; default a quarter of `maxTokens`, at most 6,000. 0 turns it off. */
  readonly ledgerTokens?: number | undefined;
  /**
   * Words that a summary must contain, such as headings; `[]` for none. Default those that the summary brings along: none
   * for a host's own, `SUMMARY_SECTIONS` for `summarizeWith`.
   */
  readonly sections?: readonly string[] | undefined;
  /** Takes credentials out of summary and ledger; default `redactSecrets` of `@x/core`. */
  readonly redact?: ((text: string) => string) | undefined;
  readonly clock?: Clock | undefined;
}

export interface Settings {
  readonly maxTokens: number;
  readonly keepTail: number;
  readonly windowTokens: number;
  readonly summarizeWindowTokens: number;
  readonly summarizeTimeoutMs: number;
  readonly hostTimeoutMs: number;
  readonly summaryTokens: number;
  readonly ledgerTokens: number;
  readonly clock: Clock;
}

const FUNCTIONS = ['fallback', 'countTokens', 'extract', 'saveFacts', 'archive', 'onEvent', 'redact'] as const;

/** @throws {@link InvalidArgumentError} for a number out of its range, a missing `summarize`, and what is no function or list. */
export function settingsOf(options: CompactorOptions): Settings {
  if (typeof options !== 'object' || options === null) throw new InvalidArgumentError('compactor needs maxTokens and summarize');
  const { maxTokens, summarize, clock = systemClock } = options;
  const number = (name: string, value: unknown, least: number): number => {
    if (typeof value !== 'number' || !Number.isFinite(value) || value < least)
      throw new InvalidArgumentError(`${name} must be a finite number of at least ${least}, got ${String(value)}`);
    return value;
  };
  number('maxTokens', maxTokens, 1);
  if (typeof summarize !== 'function') throw new InvalidArgumentError('summarize must be a function that returns the summary');
  for (const name of FUNCTIONS)
    if (options[name] !== undefined && typeof options[name] !== 'function') throw new InvalidArgumentError(`${name} must be a function`);
  const { sections } = options;
  if (sections !== undefined && !isTexts(sections)) throw new InvalidArgumentError('sections must be a list of texts');
  return {
    maxTokens,
    keepTail: number('keepTail', options.keepTail ?? Math.floor(maxTokens / 2), 0),
    windowTokens: number('windowTokens', options.windowTokens ?? Math.ceil(maxTokens * 1.25), 1),
    summarizeWindowTokens: number(
      'summarizeWindowTokens',
      options.summarizeWindowTokens ?? Math.max(16_000, options.windowTokens ?? Math.ceil(maxTokens * 1.25)),
      1,
    ),
    summarizeTimeoutMs: number('summarizeTimeoutMs', options.summarizeTimeoutMs ?? 60_000, 1),
    hostTimeoutMs: number('hostTimeoutMs', options.hostTimeoutMs ?? 60_000, 1),
    summaryTokens: number('summaryTokens', options.summaryTokens ?? Math.min(2_000, Math.max(32, Math.floor(maxTokens / 8))), 1),
    ledgerTokens: number('ledgerTokens', options.ledgerTokens ?? Math.min(6_000, Math.floor(maxTokens / 4)), 0),
    clock,
  };
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
