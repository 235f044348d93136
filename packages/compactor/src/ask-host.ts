import { type ChatMessage, InvalidArgumentError } from '@x/core';
import { CompactionFailedError, isHostFault } from './compaction-failed.js';
import type { CompactorEvent } from './compactor-event.js';
import type { FailureCode } from './events.js';
import type { Fact } from './facts.js';
import { asFacts } from './lift-ledger.js';
import type { ArchiveEntry } from './options.js';
import type { Workbench } from './workbench.js';

/** Facts that the host's extractor finds; none, with an event, when it fails or is late. Throws only when the turn is aborted. */
export async function extractFacts(bench: Workbench, event: CompactorEvent<object>, messages: readonly object[]): Promise<readonly Fact[]> {
  const { extract } = bench.options;
  if (!extract) return [];
  const { context } = event;
  const older = messages.map((message) => ({ ...message })) as unknown as ChatMessage[];
  try {
    const found = await bench.askHost((signal) => extract(older, { signal }), context?.signal);
    if (!Array.isArray(found)) throw new InvalidArgumentError('extract must return a list of facts');
    const facts = asFacts(bench, found);
    bench.tell({ type: 'flushed', by: 'extract', facts }, context);
    return facts;
  } catch (error) {
    context?.signal.throwIfAborted();
    if (isHostFault(error)) throw error;
    bench.tell({ type: 'flush_skipped', reason: 'extract_failed', error }, context);
    return [];
  }
}

/** @throws {@link CompactionFailedError} `save_facts_failed`. */
export async function saveFacts(bench: Workbench, facts: readonly Fact[], signal: AbortSignal | undefined): Promise<void> {
  const { saveFacts: save } = bench.options;
  if (save && facts.length > 0)
    await orFail(
      'save_facts_failed',
      bench.askHost((stop) => save(facts, { signal: stop }), signal),
    );
}

/** @throws {@link CompactionFailedError} `archive_failed`. */
export async function archiveList(bench: Workbench, entry: ArchiveEntry, signal: AbortSignal | undefined): Promise<void> {
  const { archive } = bench.options;
  if (archive)
    await orFail(
      'archive_failed',
      bench.askHost((stop) => archive(entry, { signal: stop }), signal),
    );
}

async function orFail(code: FailureCode, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw new CompactionFailedError(code, error);
  }
}
