import type { CompactorEvent } from './compactor-event.js';
import type { CompactionOutcome } from './events.js';
import type { CompactorOptions } from './options.js';
import { runCompaction } from './run-compaction.js';
import { createWorkbench } from './workbench.js';

/** A `beforeLLM` hook: `undefined` where the list stays as it is. `run` tells why. */
export interface Compactor {
  <M extends object>(event: CompactorEvent<M>): Promise<{ readonly messages: readonly M[] } | undefined>;
  run<M extends object>(event: CompactorEvent<M>): Promise<CompactionOutcome<M>>;
}

/**
 * Keeps a conversation under a number of tokens: shortens old tool results, or folds the older part into one message
 * with a summary and a ledger of facts. Calls and results stay together, the newest message of the user and the turn
 * in flight stay word for word. A summary that fails, is empty, unfinished or no shorter changes nothing.
 *
 * @example const hook = { beforeLLM: compactor({ maxTokens: 100_000, summarize: (older) => summarizeWithMyModel(older) }) };
 * @throws `invalid_argument` for options out of range. A run never throws.
 */
export function compactor(options: CompactorOptions): Compactor {
  const bench = createWorkbench(options);
  const run = <M extends object>(event: CompactorEvent<M>): Promise<CompactionOutcome<M>> => runCompaction(bench, event);
  return Object.assign(
    async <M extends object>(event: CompactorEvent<M>): Promise<{ readonly messages: readonly M[] } | undefined> => {
      const outcome = await run(event);
      return 'messages' in outcome ? { messages: outcome.messages } : undefined;
    },
    { run },
  );
}
