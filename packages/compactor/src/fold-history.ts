import { archiveList, extractFacts, saveFacts } from './ask-host.js';
import { growthAfter } from './back-off.js';
import { failureOf } from './compaction-failed.js';
import type { CompactorEvent } from './compactor-event.js';
import type { CompactionOutcome, FailureCode } from './events.js';
import type { Fact } from './facts.js';
import { type Fold, foldMessage } from './fold-message.js';
import type { HistoryView } from './history-index.js';
import { addFacts, asFacts, type Lifted, liftLedger } from './lift-ledger.js';
import type { Note } from './notes.js';
import { applyShortenings, finish, idOf, isMarked, leaving, startsOf } from './outgoing.js';
import { type CompactionLimits, type CompactionPlan, planFor } from './plan-compaction.js';
import { reportOverBudget } from './report-over-budget.js';
import type { Accept } from './summary.js';
import type { Workbench } from './workbench.js';

/** A conversation that is to be folded, and what was found out about it. */
export interface FoldRequest<M extends object> {
  readonly event: CompactorEvent<M>;
  readonly view: HistoryView<M>;
  readonly limits: CompactionLimits;
  readonly plan: CompactionPlan;
  readonly previous: Fold | undefined;
  readonly note: Note | undefined;
}

/** A list with a fold in it. */
interface Built<M> {
  readonly record: Fold;
  readonly messages: readonly M[];
  readonly tokens: number;
}

/** Extracts facts, summarises, saves, archives, and only then replaces. Whatever fails on the way, nothing changes. */
export async function foldHistory<M extends object>(bench: Workbench, request: FoldRequest<M>): Promise<CompactionOutcome<M>> {
  const { event, plan, note } = request;
  try {
    return await fold(bench, request);
  } catch (thrown) {
    const { code, error } = failureOf(thrown, event.context?.signal);
    const failures = (note?.failures ?? 0) + 1;
    bench.notes.put(event.messages, plan.tokens, note, { failures });
    const waits = growthAfter(failures, bench.settings.maxTokens);
    bench.tell({ type: 'fold_failed', code, error, ...(waits > 0 && { retryAtTokens: plan.tokens + waits }) }, event.context);
    return { status: 'failed', code, error, tokens: plan.tokens };
  }
}

async function fold<M extends object>(bench: Workbench, request: FoldRequest<M>): Promise<CompactionOutcome<M>> {
  const { event, view, limits, plan: first, previous, note } = request;
  const { context } = event;
  const { settings, tell } = bench;
  const signal = context?.signal;

  const extracted = await extractFacts(bench, event, leaving(view, first));
  const { plan, lifted } = makeRoom(bench, request, extracted);
  const removed = leaving(view, plan);
  // What the longer head adds was not seen by the host's extractor yet.
  const added = plan.head!.to > first.head!.to ? removed.filter((message) => view.messages.indexOf(message) >= first.head!.to) : [];
  const late = added.length > 0 ? await extractFacts(bench, event, added) : [];
  const build = builderOf(bench, request, plan, removed);
  const accept: Accept = Object.assign(
    (summary: string): FailureCode | undefined => {
      const { tokens } = build(summary, lifted.facts);
      const isBounded = plan.irreducible !== undefined && bench.countText(summary) <= settings.summaryTokens;
      return tokens >= first.tokens || (tokens > limits.maxTokens && !isBounded) ? 'summary_too_long' : undefined;
    },
    { rejected: (code: FailureCode, attempt: number) => tell({ type: 'summary_rejected', code, attempt }, context) },
  );
  const asked = { messages: removed, starts: startsOf(view, plan), previous: previous?.summary ?? '', signal };
  const { text, facts, calls } = await bench.summarise(asked, accept);
  const found = [...late, ...asFacts(bench, facts)];
  const ledger = addFacts(bench, lifted, previous, found, (more) => build(text, more).tokens <= limits.maxTokens);
  signal?.throwIfAborted();
  const { record, messages, tokens } = build(text, ledger.facts);
  await saveFacts(bench, ledger.fresh, signal);
  await archiveList(bench, { revision: record.revision, before: [...event.messages], after: messages }, signal);

  bench.notes.forget(note);
  const kept = view.sums[view.messages.length]! - view.sums[plan.head!.to]!;
  if (plan.tailCut) tell({ type: 'tail_cut', keepTail: settings.keepTail, kept }, context);
  if (plan.shorten.length > 0) tell({ type: 'shortened', results: plan.shorten.length }, context);
  if (ledger.dropped.length > 0) tell({ type: 'ledger_full', dropped: ledger.dropped }, context);
  if (tokens > limits.maxTokens) reportOverBudget(bench, event, plan, undefined);
  tell({ type: 'folded', fold: record, before: first.tokens, after: tokens, removed, summaryCalls: calls }, context);
  return { status: 'folded', messages, tokens, fold: record };
}

/** The ledger is as long as it is; where it needs room, the tail gives it. */
function makeRoom<M extends object>(
  bench: Workbench,
  { view, limits, plan, previous }: FoldRequest<M>,
  extracted: readonly Fact[],
): { readonly plan: CompactionPlan; readonly lifted: Lifted } {
  const lifted = liftLedger(bench, leaving(view, plan), previous, extracted);
  const foldTokens = limits.foldTokens! - bench.ledgerTokensOf(previous?.ledger ?? []) + bench.ledgerTokensOf(lifted.facts);
  const again = planFor(view, { ...limits, foldTokens });
  if (again.action !== 'fold') return { plan, lifted };
  const isLonger = again.head!.to > plan.head!.to;
  return { plan: again, lifted: isLonger ? liftLedger(bench, leaving(view, again), previous, extracted) : lifted };
}

/** Makes the new list for a summary and a ledger. */
function builderOf<M extends object>(
  bench: Workbench,
  { event, view, limits, previous }: FoldRequest<M>,
  { head, keep, shorten }: CompactionPlan,
  removed: readonly M[],
): (summary: string, facts: readonly Fact[]) => Built<M> {
  const shortened = applyShortenings(bench, view, shorten);
  const system = view.messages.slice(0, view.headEnd);
  const tail = finish(bench, event, [...(keep ? shortened.slice(keep.from, keep.to) : []), ...shortened.slice(head!.to)]);
  const besides = limits.overheadTokens! + view.sums[view.headEnd]! + bench.countAll(tail);
  const until = removed.map(idOf).findLast((id) => id !== undefined) ?? previous?.until;
  return (summary, facts) => {
    const record: Fold = {
      summary: bench.redact(summary),
      ledger: facts,
      revision: (previous?.revision ?? 0) + 1,
      covered: (previous?.covered ?? 0) + removed.length,
      ...(until !== undefined && { until }),
    };
    const message = foldMessage(record, isMarked(event.messages)) as object as M;
    return { record, messages: [...system, message, ...tail], tokens: besides + bench.countMessage(message) };
  };
}
