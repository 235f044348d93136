import { archiveList } from './ask-host.js';
import { isWaiting } from './back-off.js';
import { failureOf } from './compaction-failed.js';
import type { CompactorEvent } from './compactor-event.js';
import type { CompactionOutcome } from './events.js';
import { foldHistory } from './fold-history.js';
import { readFold } from './fold-message.js';
import { type HistoryView, keepView } from './history-index.js';
import { partMergedFolds } from './merged-fold.js';
import type { Note } from './notes.js';
import { applyShortenings, finish, idOf } from './outgoing.js';
import { type CompactionLimits, type CompactionPlan, planFor } from './plan-compaction.js';
import { remind } from './remind.js';
import { reportOverBudget } from './report-over-budget.js';
import type { Workbench } from './workbench.js';

/** One run: reads the list, plans, and does what the plan says. Never rejects. */
export async function runCompaction<M extends object>(bench: Workbench, event: CompactorEvent<M>): Promise<CompactionOutcome<M>> {
  let tokens = Number.NaN;
  try {
    const reading = bench.readHistory(partMergedFolds(event.messages, bench.partedFolds));
    const overhead = bench.overheadOf(event);
    tokens = overhead + reading.sums[reading.messages.length]!;
    return await compact(bench, event, reading, overhead);
  } catch (thrown) {
    const { code, error } = failureOf(thrown, event.context?.signal);
    bench.tell({ type: 'fold_failed', code, error }, event.context);
    return { status: 'failed', code, error, tokens };
  }
}

async function compact<M extends object>(
  bench: Workbench,
  given: CompactorEvent<M>,
  reading: HistoryView<M>,
  overheadTokens: number,
): Promise<CompactionOutcome<M>> {
  const { settings, notes } = bench;
  const { maxTokens } = settings;
  const own = overheadTokens + reading.sums[reading.messages.length]!;
  if (!given.usage && own <= maxTokens) return { status: 'unchanged', reason: 'fits', tokens: own };
  // The provider's count binds where it is higher: then our own tokens are worth more, and the limit is lower in them.
  const scale = scaleOf(bench, given, reading, overheadTokens);
  if (own * scale <= maxTokens) return { status: 'unchanged', reason: 'fits', tokens: own };

  // From here on there are waits, in which another conversation may be read and the host may go on with its list.
  const view = keepView(reading);
  const event = { ...given, messages: view.messages };
  const previous = readFold(event.messages.slice(view.headEnd, view.foldEnd));
  const turnStart = startOfTurn(given, view);
  const limits: CompactionLimits = {
    maxTokens: Math.floor(maxTokens / scale),
    keepTail: Math.min(settings.keepTail, maxTokens / scale),
    overheadTokens,
    foldTokens: bench.frameTokens() + settings.summaryTokens + bench.ledgerTokensOf(previous?.ledger ?? []),
    ...(turnStart >= 0 && { turnStart }),
  };
  const plan = planFor(view, limits);
  if (plan.action === 'none') return { status: 'unchanged', reason: 'fits', tokens: plan.tokens };
  const note = notes.find(event.messages);
  if (plan.action === 'stuck') {
    reportOverBudget(bench, event, plan, note);
    return { status: 'over_budget', irreducible: plan.irreducible ?? 'turn', tokens: plan.tokens };
  }
  if (plan.action !== 'fold') return shorten(bench, event, view, limits, plan, note);
  if (isWaiting(note, plan.tokens, maxTokens)) return { status: 'unchanged', reason: 'waiting', tokens: plan.tokens };
  return remind(bench, event, view, plan, note) ?? foldHistory(bench, { event, view, limits, plan, previous, note });
}

/** Shortens results where that is enough, or all that can be done. */
async function shorten<M extends object>(
  bench: Workbench,
  event: CompactorEvent<M>,
  view: HistoryView<M>,
  { maxTokens, overheadTokens = 0 }: CompactionLimits,
  plan: CompactionPlan,
  note: Note | undefined,
): Promise<CompactionOutcome<M>> {
  const { context } = event;
  const messages = finish(bench, event, applyShortenings(bench, view, plan.shorten));
  const tokens = overheadTokens + bench.countAll(messages);
  if (tokens > maxTokens) reportOverBudget(bench, event, { ...plan, expectedTokens: tokens }, note);
  if (tokens >= plan.tokens) return { status: 'unchanged', reason: 'waiting', tokens: plan.tokens };
  await archiveList(bench, { revision: 0, before: [...event.messages], after: messages }, context?.signal);
  const results = plan.shorten.length;
  const isPruned = plan.action === 'prune';
  bench.tell(isPruned ? { type: 'pruned', before: plan.tokens, after: tokens, results } : { type: 'shortened', results }, context);
  return { status: isPruned ? 'pruned' : 'shortened', messages, tokens };
}

/** How much more a provider counts than we do, at least 1. */
function scaleOf({ settings, tell }: Workbench, event: CompactorEvent<object>, view: HistoryView, overhead: number): number {
  if (!event.usage) return 1;
  const { inputTokens, of = [] } = event.usage as Partial<NonNullable<typeof event.usage>>;
  const { messages } = event;
  const size = of.length;
  if (size === 0 || size > messages.length || of[0] !== messages[0] || of[size - 1] !== messages[size - 1]) return 1;
  const own = overhead + view.sums[size + partedBefore(event, view)]!;
  if (typeof inputTokens !== 'number') return 1;
  const ratio = inputTokens / own;
  if (ratio > 0.4 && ratio < 2.5 && inputTokens <= settings.windowTokens) return Math.max(1, ratio);
  if (inputTokens !== 0) tell({ type: 'usage_ignored', inputTokens }, event.context);
  return 1;
}

/** Where the input of the turn in flight stands in the view, or -1 when the event does not tell. */
function startOfTurn(event: CompactorEvent<object>, view: HistoryView): number {
  const input = event.context?.input;
  if (!input) return -1;
  const place = event.messages.findIndex((message) => message === input || (input.id !== undefined && idOf(message) === input.id));
  return place < 0 ? -1 : place + partedBefore(event, view);
}

/** By how much a message's place in the view is later than in the event: a merged fold near the front was parted. */
function partedBefore({ messages }: CompactorEvent<object>, view: HistoryView): number {
  return view.messages.length - messages.length;
}
