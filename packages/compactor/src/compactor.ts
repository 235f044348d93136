import { type ChatMessage, estimateMessageTokens, estimateTextTokens, estimateToolTokens, type ToolSpec, type Turn } from '@x/core';
import { type Fields, isFields } from './dialect.js';
import type { CompactionEvent, CompactionOutcome, FailureCode } from './events.js';
import type { Fact } from './facts.js';
import { type Fold, foldMessage, readFold, renderFold, synthetic } from './fold-message.js';
import { createHistoryIndex, type HistoryView, keepView } from './history-index.js';
import { growLedger } from './ledger.js';
import { liftFacts, literalsOf, oneLine } from './lift-facts.js';
import { isReminder, REMINDER_OPENING, REMINDER_WORDS } from './marks.js';
import { createNotes, type Note } from './notes.js';
import { type CompactorOptions, settingsOf } from './options.js';
import { type CompactionLimits, type CompactionPlan, planFor, type Shortening, stepOf } from './plan-compaction.js';
import { redactSecrets } from './redact-secrets.js';
import { repairPairs } from './repair-pairs.js';
import { shortenResults } from './shorten.js';
import { type Accept, createSummariser, type Summarised, SummaryRefused } from './summarise.js';

/** What a compactor is given: the list that is about to go to a model, and what travels beside it. */
export interface CompactorEvent<M extends object = ChatMessage> {
  readonly messages: readonly M[];
  readonly tools?: readonly ToolSpec[] | undefined;
  readonly model?: string | undefined;
  readonly turn?: number | undefined;
  /** Tokens of system prompt, tools and notes that are not in `messages`; without it `tools` are counted. */
  readonly overheadTokens?: number | undefined;
  readonly context?: Turn | undefined;
  /** What a provider counted for an earlier request of the very messages that this list begins with. A hint: never below our own count, and ignored when it cannot be true. */
  readonly usage?: { readonly inputTokens: number; readonly of: readonly object[] } | undefined;
}

/** A `beforeLLM` hook: `undefined` where the list stays as it is. `run` tells why. */
export interface Compactor {
  <M extends object>(event: CompactorEvent<M>): Promise<{ readonly messages: readonly M[] } | undefined>;
  run<M extends object>(event: CompactorEvent<M>): Promise<CompactionOutcome<M>>;
}

/** Two failures are taken for bad luck; then the next try waits for the conversation to grow. */
const FREE_FAILURES = 2;
const REMINDER = `${REMINDER_OPENING}
Older messages are about to be replaced by a summary. If they hold a lasting fact, decision or preference that is not saved yet, ${REMINDER_WORDS} now. Then go on with what the user asked last; do not mention this note.`;

/**
 * Keeps a conversation under a number of tokens: shortens old tool results, or folds the older part into one message
 * with a summary and a ledger of facts. Calls and results stay together, the newest message of the user and the turn
 * in flight stay word for word. A summary that fails, is empty, unfinished or no shorter changes nothing.
 *
 * @example const hook = { beforeLLM: compactor({ maxTokens: 100_000, summarize: (older) => summarizeWithMyModel(older) }) };
 * @throws `invalid_argument` for options out of range. A run never throws.
 */
export function compactor(options: CompactorOptions): Compactor {
  const settings = settingsOf(options);
  const { countTokens, redact = redactSecrets } = options;
  const countMessage = countTokens ? (message: object) => countTokens([message]) : (message: object) => estimateMessageTokens(message);
  const countText = countTokens ? (text: string) => countTokens([{ role: 'user', content: text }]) : estimateTextTokens;
  const readHistory = createHistoryIndex(countMessage);
  const toolTokens = new WeakMap<object, number>();
  const notes = createNotes();
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
  const step = stepOf(settings.maxTokens);
  const frameTokens = countText(renderFold({ summary: '', ledger: [], revision: 1, covered: 1 }));

  const tell = (event: CompactionEvent, context: Turn | undefined): void => {
    try {
      options.onEvent?.(event);
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
  };

  function overheadOf({ overheadTokens, tools = [] }: CompactorEvent<object>): number {
    if (overheadTokens !== undefined && Number.isFinite(overheadTokens)) return Math.max(0, overheadTokens);
    let total = 0;
    for (const tool of tools) {
      const known = toolTokens.get(tool) ?? estimateToolTokens(tool);
      toolTokens.set(tool, known);
      total += known;
    }
    return total;
  }

  /** How much more a provider counts than we do, at least 1. */
  function scaleOf(event: CompactorEvent<object>, view: HistoryView, overhead: number): number {
    if (event.usage === undefined) return 1;
    const { inputTokens, of } = event.usage;
    const size = of.length;
    const isSame = size > 0 && size <= view.messages.length && of[0] === view.messages[0] && of[size - 1] === view.messages[size - 1];
    if (!isSame) return 1;
    const own = overhead + view.sums[size]!;
    const ratio = inputTokens / own;
    if (ratio > 0.4 && ratio < 2.5 && inputTokens <= settings.windowTokens) return Math.max(1, ratio);
    if (inputTokens !== 0) tell({ type: 'usage_ignored', inputTokens }, event.context);
    return 1;
  }

  async function run<M extends object>(given: CompactorEvent<M>): Promise<CompactionOutcome<M>> {
    const reading = readHistory(given.messages);
    const overheadTokens = overheadOf(given);
    const own = overheadTokens + reading.sums[given.messages.length]!;
    if (given.usage === undefined && own <= settings.maxTokens) return { status: 'unchanged', reason: 'fits', tokens: own };
    // The provider's count binds where it is higher: then our own tokens are worth more, and the limit is lower in them.
    const scale = scaleOf(given, reading, overheadTokens);
    if (own * scale <= settings.maxTokens) return { status: 'unchanged', reason: 'fits', tokens: own };

    // From here on there are waits, in which another conversation may be read and the host may go on with its list.
    const view = keepView(reading);
    const event = { ...given, messages: view.messages };
    const { context } = event;
    const input = context?.input;
    const turnStart = input
      ? event.messages.findIndex((message) => (message as object) === input || (input.id !== undefined && idOf(message) === input.id))
      : -1;
    const previous = readFold(event.messages.slice(view.headEnd, view.foldEnd));
    const limits: CompactionLimits = {
      maxTokens: Math.floor(settings.maxTokens / scale),
      keepTail: Math.min(settings.keepTail, settings.maxTokens / scale),
      overheadTokens,
      foldTokens: frameTokens + settings.summaryTokens + ledgerTokensOf(previous?.ledger ?? []),
      ...(turnStart >= 0 && { turnStart }),
    };
    const plan = planFor(view, limits);
    if (plan.action === 'none') return { status: 'unchanged', reason: 'fits', tokens: plan.tokens };
    const note = notes.find(event.messages);
    if (plan.action === 'stuck') {
      report(event, plan, note);
      return { status: 'over_budget', irreducible: plan.irreducible ?? 'turn', tokens: plan.tokens };
    }
    if (plan.action === 'prune' || plan.action === 'shorten') {
      const messages = finish(event, apply(view, plan.shorten));
      const tokens = overheadTokens + countAll(messages);
      if (tokens > limits.maxTokens) report(event, { ...plan, expectedTokens: tokens }, note);
      if (tokens >= plan.tokens) return { status: 'unchanged', reason: 'waiting', tokens: plan.tokens };
      if (!(await archived(event, messages, 0))) return { status: 'failed', code: 'archive_failed', tokens: plan.tokens };
      const results = plan.shorten.length;
      tell(
        plan.action === 'prune' ? { type: 'pruned', before: plan.tokens, after: tokens, results } : { type: 'shortened', results },
        context,
      );
      return { status: plan.action === 'prune' ? 'pruned' : 'shortened', messages, tokens };
    }
    const waits = note && note.failures >= FREE_FAILURES ? step * 2 ** Math.min(3, note.failures - FREE_FAILURES) : 0;
    if (note && waits > 0 && plan.tokens < note.tokens + waits) return { status: 'unchanged', reason: 'waiting', tokens: plan.tokens };
    return remind(event, view, plan, note) ?? fold(event, view, limits, plan, previous, note);
  }

  /** The first call over budget, where the model can save facts: one more message, and nothing leaves. */
  function remind<M extends object>(
    event: CompactorEvent<M>,
    view: HistoryView<M>,
    plan: CompactionPlan,
    note: Note | undefined,
  ): CompactionOutcome<M> | undefined {
    if (!options.flushToMemory || options.extract) return undefined;
    const was = note?.reminded || event.messages.some((message, index) => index >= view.foldEnd && isOwnReminder(message));
    if (was) {
      tell({ type: 'flushed', by: 'reminder', facts: [] }, event.context);
      return undefined;
    }
    const skip = (reason: 'no_memory_tool' | 'over_window'): undefined =>
      tell({ type: 'flush_skipped', reason }, event.context) as undefined;
    if (!event.tools?.some(({ name }) => name === 'memory')) return skip('no_memory_tool');
    const messages = [...repair(event, event.messages), synthetic(REMINDER, isMarked(event.messages)) as object as M];
    const tokens = overheadOf(event) + countAll(messages);
    if (tokens > settings.windowTokens) return skip('over_window');
    notes.put(event.messages, plan.tokens, note, { reminded: true });
    tell({ type: 'flush_requested', tokens: plan.tokens }, event.context);
    return { status: 'reminded', messages, tokens };
  }

  async function fold<M extends object>(
    event: CompactorEvent<M>,
    view: HistoryView<M>,
    limits: CompactionLimits,
    first: CompactionPlan,
    previous: Fold | undefined,
    note: Note | undefined,
  ): Promise<CompactionOutcome<M>> {
    const { context } = event;
    const signal = context?.signal;
    const fail = (code: FailureCode, error?: unknown): CompactionOutcome<M> => {
      const failures = (note?.failures ?? 0) + 1;
      notes.put(event.messages, first.tokens, note, { failures });
      const waits = failures >= FREE_FAILURES ? { retryAtTokens: first.tokens + step * 2 ** Math.min(3, failures - FREE_FAILURES) } : {};
      tell({ type: 'fold_failed', code, error, ...waits }, context);
      return { status: 'failed', code, error, tokens: first.tokens };
    };

    let plan = first;
    let extracted: readonly Fact[] = [];
    let ledger = lift(view, plan, previous, extracted);
    if (options.extract) {
      try {
        const older = leaving(view, plan).map((message) => ({ ...message })) as unknown as ChatMessage[];
        extracted = (await options.extract(older)).map(asFact);
        ledger = lift(view, plan, previous, extracted);
        tell({ type: 'flushed', by: 'extract', facts: extracted }, context);
      } catch {
        tell({ type: 'flush_skipped', reason: 'extract_failed' }, context);
      }
    }
    // The ledger is as long as it is; where it needs room, the tail gives it.
    const foldTokens = limits.foldTokens! - ledgerTokensOf(previous?.ledger ?? []) + ledgerTokensOf(ledger.facts);
    const again = planFor(view, { ...limits, foldTokens });
    if (again.action === 'fold' && again.head!.to > plan.head!.to) {
      plan = again;
      ledger = lift(view, plan, previous, extracted);
    } else if (again.action === 'fold') plan = again;
    const removed = leaving(view, plan);
    const head = plan.head!;
    const keep = plan.keep;
    const shortened = apply(view, plan.shorten);
    const system = view.messages.slice(0, view.headEnd);
    const tail = finish(event, [...(keep ? shortened.slice(keep.from, keep.to) : []), ...shortened.slice(head.to)]);
    const besides = limits.overheadTokens! + view.sums[view.headEnd]! + countAll(tail);
    const build = (summary: string, facts: readonly Fact[]): { record: Fold; messages: readonly M[]; tokens: number } => {
      const until = removed.map(idOf).findLast((id) => id !== undefined) ?? previous?.until;
      const record: Fold = {
        summary: redact(summary),
        ledger: facts,
        revision: (previous?.revision ?? 0) + 1,
        covered: (previous?.covered ?? 0) + removed.length,
        ...(until !== undefined && { until }),
      };
      const message = foldMessage(record, isMarked(event.messages)) as object as M;
      return { record, messages: [...system, message, ...tail], tokens: besides + countMessage(message) };
    };
    const accept: Accept = Object.assign(
      (summary: string): FailureCode | undefined => {
        const { tokens } = build(summary, ledger.facts);
        const fits = tokens <= limits.maxTokens || (plan.irreducible !== undefined && countText(summary) <= settings.summaryTokens);
        return tokens >= first.tokens || !fits ? 'summary_too_long' : undefined;
      },
      { rejected: (code: FailureCode, attempt: number) => tell({ type: 'summary_rejected', code, attempt }, context) },
    );
    const request = { messages: removed, starts: startsOf(view, plan), previous: previous?.summary ?? '', signal };
    let summarised: Summarised;
    try {
      summarised = await summariser.summarise(request, accept).catch((error: unknown) => {
        if (!fallback || signal?.aborted) throw error;
        return fallback.summarise(request, accept);
      });
    } catch (error) {
      return error instanceof SummaryRefused ? fail(error.reason, error.cause) : fail('summarize_threw', error);
    }
    if (summarised.facts.length > 0) {
      const more = growLedger(ledger.facts, summarised.facts.map(asFact), { maxTokens: settings.ledgerTokens, countText });
      if (build(summarised.text, more.facts).tokens <= limits.maxTokens)
        ledger = { facts: more.facts, dropped: [...ledger.dropped, ...more.dropped] };
    }
    if (signal?.aborted) return fail('aborted', signal.reason);
    const { record, messages, tokens } = build(summarised.text, ledger.facts);
    const known = new Set((previous?.ledger ?? []).map(({ text }) => text));
    try {
      await options.saveFacts?.(ledger.facts.filter(({ text }) => !known.has(text)));
    } catch (error) {
      return fail('save_facts_failed', error);
    }
    if (!(await archived(event, messages, record.revision))) return fail('archive_failed');
    notes.forget(note);
    if (plan.tailCut)
      tell({ type: 'tail_cut', keepTail: settings.keepTail, kept: view.sums[view.messages.length]! - view.sums[head.to]! }, context);
    if (plan.shorten.length > 0) tell({ type: 'shortened', results: plan.shorten.length }, context);
    if (ledger.dropped.length > 0) tell({ type: 'ledger_full', dropped: ledger.dropped }, context);
    if (tokens > limits.maxTokens) report(event, plan, undefined);
    tell({ type: 'folded', fold: record, before: first.tokens, after: tokens, removed, summaryCalls: summarised.calls }, context);
    return { status: 'folded', messages, tokens, fold: record };
  }

  function lift(view: HistoryView, plan: CompactionPlan, previous: Fold | undefined, extracted: readonly Fact[]) {
    const found = settings.ledgerTokens === 0 ? [] : liftFacts(leaving(view, plan));
    const clean = found.map((fact) => ({ ...fact, text: redact(fact.text) }));
    return growLedger(previous?.ledger ?? [], [...clean, ...extracted], { maxTokens: settings.ledgerTokens, countText });
  }

  function asFact(fact: string | Fact): Fact {
    const { kind, by, text } = typeof fact === 'string' ? { kind: 'fact' as const, by: 'note' as const, text: fact } : fact;
    return { kind, by, text: redact(oneLine(text)) };
  }

  function ledgerTokensOf(facts: readonly Fact[]): number {
    return facts.length === 0 ? 0 : countText(renderFold({ summary: '', ledger: facts, revision: 1, covered: 1 })) - frameTokens;
  }

  function apply<M extends object>(view: HistoryView<M>, shorten: readonly Shortening[]): readonly M[] {
    if (shorten.length === 0) return view.messages.slice();
    const messages = view.messages.slice();
    for (const { index, toTokens } of shorten) {
      messages[index] = shortenResults(messages[index]!, toTokens, { message: countMessage, text: countText }, (gap) =>
        literalsOf(redact(gap)),
      );
    }
    return messages;
  }

  /** The list as it goes out: without reminders, every call with its result. */
  function finish<M extends object>(event: CompactorEvent<M>, messages: readonly M[]): readonly M[] {
    return repair(
      event,
      messages.filter((message) => !isOwnReminder(message)),
    );
  }

  function repair<M extends object>(event: CompactorEvent<M>, messages: readonly M[]): readonly M[] {
    const { messages: repaired, repairs } = repairPairs(messages);
    if (repairs > 0) tell({ type: 'repaired', repairs }, event.context);
    return repaired;
  }

  function countAll(messages: readonly object[]): number {
    return readHistory.tokensOf(messages);
  }

  async function archived(event: CompactorEvent<object>, after: readonly object[], revision: number): Promise<boolean> {
    try {
      await options.archive?.({ revision, before: [...event.messages], after });
      return true;
    } catch {
      return false;
    }
  }

  /** Says once for each turn that something does not fit. */
  function report(event: CompactorEvent<object>, plan: CompactionPlan, note: Note | undefined): void {
    const state = `${plan.irreducible}`;
    if (note?.reported === state) return;
    notes.put(event.messages, note?.tokens ?? plan.tokens, note, { reported: state });
    tell(
      { type: 'over_budget', irreducible: plan.irreducible ?? 'turn', tokens: plan.expectedTokens, maxTokens: settings.maxTokens },
      event.context,
    );
  }

  return Object.assign(
    async <M extends object>(event: CompactorEvent<M>): Promise<{ readonly messages: readonly M[] } | undefined> => {
      const outcome = await run(event);
      return 'messages' in outcome ? { messages: outcome.messages } : undefined;
    },
    { run },
  );
}

/** The messages that a fold takes out, without reminders. */
function leaving<M extends object>({ messages }: HistoryView<M>, { head, keep }: CompactionPlan): readonly M[] {
  if (!head) return [];
  return messages.slice(head.from, head.to).filter((message, offset) => {
    const index = head.from + offset;
    return !(keep && index >= keep.from && index < keep.to) && !isOwnReminder(message);
  });
}

/** Where groups start among the messages of {@link leaving}. */
function startsOf(view: HistoryView, { head, keep }: CompactionPlan): readonly number[] {
  const starts: number[] = [];
  let position = 0;
  let group = -1;
  for (let index = head!.from; index < head!.to; index += 1) {
    if ((keep && index >= keep.from && index < keep.to) || isOwnReminder(view.messages[index]!)) continue;
    if (view.groups[index] !== group) starts.push(position);
    group = view.groups[index]!;
    position += 1;
  }
  return starts;
}

function isOwnReminder(message: object): boolean {
  const { role, origin } = message as Fields;
  if (role !== 'user' && role !== 'system') return false;
  return (origin === undefined || origin === 'synthetic' || role === 'system') && isReminder(message);
}

function idOf(message: object): string | undefined {
  const id = isFields(message) ? message['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** True where messages carry our own fields. */
function isMarked(messages: readonly object[]): boolean {
  return messages.some((message) => 'origin' in message && Object.getOwnPropertyDescriptor(message, 'origin')?.enumerable === true);
}
