import {
  estimateMessageTokens,
  estimateTextTokens,
  estimateToolTokens,
  InvalidArgumentError,
  isPromiseLike,
  redactSecrets,
  type Turn,
  withDeadline,
} from '@x/core';
import { guarded, isHostFault } from './compaction-failed.js';
import { type CompactorEvent, toolsOf } from './compactor-event.js';
import type { CompactionEvent } from './events.js';
import type { Fact } from './facts.js';
import { renderFold } from './fold-message.js';
import { createHistoryIndex } from './history-index.js';
import type { PartedFolds } from './merged-fold.js';
import { createNotes } from './notes.js';
import { type CompactorOptions, settingsOf } from './options.js';
import { createSummariser, type SummariseRequest } from './summarise.js';
import type { Accept, Summarised } from './summary.js';

export type Workbench = ReturnType<typeof createWorkbench>;

/**
 * What every step of a run needs: settings, counts, notes, and ways to ask and to tell the host. What a compactor keeps
 * between runs is in here.
 *
 * @throws `invalid_argument` for options out of range.
 */
export function createWorkbench(options: CompactorOptions) {
  const settings = settingsOf(options);
  const { countTokens } = options;
  const redact = guarded('redact_threw', options.redact ?? ((text: string) => redactSecrets(text).text));
  const countMessage = countTokens
    ? guarded('count_threw', (message: object) => soundCount(countTokens([message])))
    : (message: object) => estimateMessageTokens(message);
  const countText = countTokens ? (text: string) => countMessage({ role: 'user', content: text }) : estimateTextTokens;
  const readHistory = createHistoryIndex(countMessage);
  const toolTokens = new WeakMap<object, number>();
  const summariserSettings = {
    summaryTokens: settings.summaryTokens,
    windowTokens: settings.summarizeWindowTokens,
    timeoutMs: settings.summarizeTimeoutMs,
    sections: options.sections,
    clock: settings.clock,
    countText,
    countMessage,
  };
  const summariser = createSummariser({ ...summariserSettings, summarize: options.summarize });
  const fallback = options.fallback && createSummariser({ ...summariserSettings, summarize: options.fallback });
  let frame: number | undefined;

  /** Tokens of a fold's message without summary and facts. */
  const frameTokens = (): number => {
    frame ??= countText(renderFold({ summary: '', ledger: [], revision: 1, covered: 1 }));
    return frame;
  };

  return {
    options,
    settings,
    redact,
    countMessage,
    countText,
    countAll: readHistory.tokensOf,
    readHistory,
    partedFolds: new WeakMap() as PartedFolds,
    notes: createNotes(),
    frameTokens,

    ledgerTokensOf(facts: readonly Fact[]): number {
      return facts.length === 0 ? 0 : countText(renderFold({ summary: '', ledger: facts, revision: 1, covered: 1 })) - frameTokens();
    },

    overheadOf(event: CompactorEvent<object>): number {
      const { overheadTokens } = event;
      if (overheadTokens !== undefined && Number.isFinite(overheadTokens)) return Math.max(0, overheadTokens);
      let total = 0;
      for (const { tool } of toolsOf(event)) {
        const known = toolTokens.get(tool) ?? estimateToolTokens(tool);
        toolTokens.set(tool, known);
        total += known;
      }
      return total;
    },

    /** Asks the first summariser, then the fallback. */
    async summarise(request: SummariseRequest, accept: Accept): Promise<Summarised> {
      try {
        return await summariser.summarise(request, accept);
      } catch (error) {
        if (!fallback || request.signal?.aborted || isHostFault(error)) throw error;
        return fallback.summarise(request, accept);
      }
    },

    /** Waits for a function of the host: no longer than it may take, nor than the turn lives. */
    askHost<T>(run: (signal: AbortSignal) => T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
      return withDeadline(run, { signal, clock: settings.clock, timeoutMs: settings.hostTimeoutMs });
    },

    tell(event: CompactionEvent, context: Turn | undefined): void {
      try {
        const said: unknown = options.onEvent?.(event);
        if (isPromiseLike(said)) said.then(undefined, () => {});
      } catch {
        // A listener's fault is its own.
      }
      const isBad = event.type === 'fold_failed' || event.type === 'over_budget' || event.type === 'ledger_full';
      if (isBad || event.type === 'folded')
        context?.trace({
          type: isBad ? 'WARNING' : 'DEBUG',
          message: `compactor: ${event.type}`,
          ...('code' in event && { details: { code: event.code } }),
        });
    },
  };
}

/** @throws {@link InvalidArgumentError} a count that is none would be taken for a list that fits, or for one that never does. */
function soundCount(count: unknown): number {
  if (typeof count === 'number' && Number.isFinite(count) && count >= 0) return count;
  throw new InvalidArgumentError('countTokens must return a number of at least 0, at once');
}
