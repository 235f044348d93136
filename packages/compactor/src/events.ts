import type { Fact } from './facts.js';
import type { Fold } from './fold-message.js';
import type { Irreducible } from './plan-compaction.js';

/** Why a summary was not taken, or a run changed nothing. */
export type FailureCode =
  | 'summarize_threw'
  | 'summarize_timed_out'
  | 'summary_not_text'
  | 'summary_empty'
  | 'summary_unfinished'
  | 'summary_is_error'
  | 'summary_sections_missing'
  | 'summary_too_long'
  | 'save_facts_failed'
  | 'archive_failed'
  | 'count_threw'
  | 'redact_threw'
  | 'compaction_threw'
  | 'aborted';

/** What a compactor tells its host. Counts are tokens, by the compactor's own count. */
export type CompactionEvent =
  | { readonly type: 'flush_requested'; readonly tokens: number }
  | { readonly type: 'flushed'; readonly by: 'reminder' | 'extract'; readonly facts: readonly Fact[] }
  | {
      readonly type: 'flush_skipped';
      readonly reason: 'no_memory_tool' | 'over_window' | 'extract_failed';
      /** What the extractor threw. */
      readonly error?: unknown;
    }
  | { readonly type: 'pruned'; readonly before: number; readonly after: number; readonly results: number }
  | { readonly type: 'shortened'; readonly results: number }
  | { readonly type: 'tail_cut'; readonly keepTail: number; readonly kept: number }
  | { readonly type: 'ledger_full'; readonly dropped: readonly Fact[] }
  | { readonly type: 'summary_rejected'; readonly code: FailureCode; readonly attempt: number }
  /** Nothing was changed: nothing folded, and nothing shortened. */
  | { readonly type: 'fold_failed'; readonly code: FailureCode; readonly error?: unknown; readonly retryAtTokens?: number | undefined }
  | {
      readonly type: 'folded';
      readonly fold: Fold;
      readonly before: number;
      readonly after: number;
      /** The messages that left, as they were. */
      readonly removed: readonly object[];
      readonly summaryCalls: number;
    }
  | { readonly type: 'repaired'; readonly repairs: number }
  | { readonly type: 'usage_ignored'; readonly inputTokens: number }
  | { readonly type: 'over_budget'; readonly irreducible: Irreducible; readonly tokens: number; readonly maxTokens: number };

/** What one run of a compactor came to. `messages` is present when the list is to be replaced. */
export type CompactionOutcome<M> =
  | { readonly status: 'unchanged'; readonly reason: 'fits' | 'waiting'; readonly tokens: number }
  | { readonly status: 'reminded'; readonly messages: readonly M[]; readonly tokens: number }
  | { readonly status: 'pruned' | 'shortened'; readonly messages: readonly M[]; readonly tokens: number }
  | { readonly status: 'folded'; readonly messages: readonly M[]; readonly tokens: number; readonly fold: Fold }
  | { readonly status: 'over_budget'; readonly irreducible: Irreducible; readonly tokens: number }
  /** `tokens` is NaN where they could not be counted. */
  | { readonly status: 'failed'; readonly code: FailureCode; readonly error?: unknown; readonly tokens: number };
