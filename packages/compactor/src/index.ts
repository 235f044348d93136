export { estimateTokens } from '@x/core';
export { charsOverFour } from './chars-over-four.js';
export { type Compactor, compactor } from './compactor.js';
export type { CompactorEvent } from './compactor-event.js';
export type { CompactionEvent, CompactionOutcome, FailureCode } from './events.js';
export type { Fact, FactKind, FactSource } from './facts.js';
export { type Fold, type FoldMessage, readFold } from './fold-message.js';
export { type CountMessage, createHistoryIndex, type HistoryIndex, type HistoryView } from './history-index.js';
export { liftFacts } from './lift-facts.js';
export type { ArchiveEntry, CompactorOptions, Waiting } from './options.js';
export {
  type CompactionLimits,
  type CompactionPlan,
  type Irreducible,
  planCompaction,
} from './plan-compaction.js';
export type { Shortening } from './plan-shortening.js';
export { SUMMARY_SECTIONS } from './quote-transcript.js';
export { restore } from './restore.js';
export { extractiveSummary, summarizeWith } from './summarize-with.js';
export type { Summarize, SummarizeContext, Summary } from './summary.js';
