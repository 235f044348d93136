import type { CompactorEvent } from './compactor-event.js';
import { type Fields, isFields } from './dialect.js';
import type { HistoryView } from './history-index.js';
import { literalsOf } from './lift-facts.js';
import { isReminder } from './marks.js';
import type { CompactionPlan } from './plan-compaction.js';
import type { Shortening } from './plan-shortening.js';
import { repairPairs } from './repair-pairs.js';
import { shortenResults } from './shorten.js';
import type { Workbench } from './workbench.js';

/** The list as it goes out: without reminders, every call with its result. */
export function finish<M extends object>(bench: Workbench, event: CompactorEvent<M>, messages: readonly M[]): readonly M[] {
  return repair(
    bench,
    event,
    messages.filter((message) => !isOwnReminder(message)),
  );
}

export function repair<M extends object>(bench: Workbench, event: CompactorEvent<M>, messages: readonly M[]): readonly M[] {
  const { messages: repaired, repairs } = repairPairs(messages);
  if (repairs > 0) bench.tell({ type: 'repaired', repairs }, event.context);
  return repaired;
}

/** The messages with their results shortened as planned. */
export function applyShortenings<M extends object>(
  { countMessage, countText, redact }: Workbench,
  view: HistoryView<M>,
  shorten: readonly Shortening[],
): readonly M[] {
  const messages = view.messages.slice();
  for (const { index, toTokens } of shorten) {
    const lift = (gap: string): readonly string[] => literalsOf(redact(gap));
    messages[index] = shortenResults(messages[index]!, toTokens, { message: countMessage, text: countText }, lift);
  }
  return messages;
}

/** The messages that a fold takes out, without reminders. */
export function leaving<M extends object>({ messages }: HistoryView<M>, { head, keep }: CompactionPlan): readonly M[] {
  if (!head) return [];
  return messages.slice(head.from, head.to).filter((message, offset) => {
    const index = head.from + offset;
    return !(keep && index >= keep.from && index < keep.to) && !isOwnReminder(message);
  });
}

/** Where groups start among the messages of {@link leaving}. */
export function startsOf(view: HistoryView, { head, keep }: CompactionPlan): readonly number[] {
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

export function isOwnReminder(message: object): boolean {
  const { role, origin } = message as Fields;
  if (role !== 'user' && role !== 'system') return false;
  return (origin === undefined || origin === 'synthetic' || role === 'system') && isReminder(message);
}

export function idOf(message: object): string | undefined {
  const id = isFields(message) ? message['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** True where messages carry our own fields. */
export function isMarked(messages: readonly object[]): boolean {
  return messages.some((message) => 'origin' in message && Object.getOwnPropertyDescriptor(message, 'origin')?.enumerable === true);
}
