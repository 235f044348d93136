import { type ChatMessage, type Clock, isAgentosError, SUMMARY_OPENING, withDeadline } from '@x/core';
import { CompactionFailedError } from './compaction-failed.js';
import type { Fields } from './dialect.js';
import { SUMMARY_SECTIONS, summaryPrompt } from './quote-transcript.js';
import { repairPairs } from './repair-pairs.js';
import type { Summarize, SummarizeContext, Summary } from './summary.js';

export interface AskOptions {
  readonly summarize: Summarize;
  readonly summaryTokens: number;
  readonly timeoutMs: number;
  readonly sections: readonly string[] | undefined;
  readonly clock: Clock;
}

/** Which call this is. */
export type Place = Pick<SummarizeContext, 'part' | 'parts' | 'merging'>;

/**
 * Asks for one summary, within the time-out and the caller's signal.
 *
 * @throws {@link CompactionFailedError} with `aborted`, `summarize_timed_out` or `summarize_threw`.
 */
export async function askSummary(
  { summarize, summaryTokens, timeoutMs, sections = SUMMARY_SECTIONS, clock }: AskOptions,
  messages: readonly object[],
  place: Place,
  previous: string,
  signal: AbortSignal | undefined,
): Promise<Summary> {
  const older = copyOf(messages, previous) as ChatMessage[];
  try {
    return await withDeadline(
      async (stop) =>
        summarize(older, {
          signal: stop,
          ...place,
          maxTokens: summaryTokens,
          get prompt() {
            return summaryPrompt(messages, { maxTokens: summaryTokens, sections, previous, merging: place.merging });
          },
        }),
      { signal, clock, timeoutMs },
    );
  } catch (error) {
    if (signal?.aborted) throw new CompactionFailedError('aborted', signal.reason);
    const isLate = isAgentosError(error) && error.code === 'deadline_passed';
    throw new CompactionFailedError(isLate ? 'summarize_timed_out' : 'summarize_threw', error);
  }
}

/** Copies to hand out: changing them changes nothing of ours, and they carry only what a provider may see. */
function copyOf(messages: readonly object[], previous: string): object[] {
  const copies = repairPairs(messages, { isOver: true }).messages.map((message) => {
    const { id: _id, origin: _origin, sender: _sender, ...wire } = message as Fields;
    return deepCopy(wire) as object;
  });
  if (previous !== '') copies.unshift({ role: 'user', content: `${SUMMARY_OPENING}\n${previous}` });
  return copies;
}

function deepCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(deepCopy);
  const copy: { [key: string]: unknown } = {};
  for (const key in value) if (key !== '__proto__') copy[key] = deepCopy((value as Fields)[key]);
  return copy;
}
