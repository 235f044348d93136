import { type CompactorEvent, toolsOf } from './compactor-event.js';
import type { CompactionOutcome } from './events.js';
import { synthetic } from './fold-message.js';
import type { HistoryView } from './history-index.js';
import { REMINDER_OPENING, REMINDER_WORDS } from './marks.js';
import type { Note } from './notes.js';
import { isMarked, isOwnReminder, repair } from './outgoing.js';
import type { CompactionPlan } from './plan-compaction.js';
import type { Workbench } from './workbench.js';

const REMINDER = `${REMINDER_OPENING}
Older messages are about to be replaced by a summary. If they hold a lasting fact, decision or preference that is not saved yet, ${REMINDER_WORDS} now. Then go on with what the user asked last; do not mention this note.`;

/** The first call over budget, where the model can save facts: one more message, and nothing leaves. */
export function remind<M extends object>(
  bench: Workbench,
  event: CompactorEvent<M>,
  view: HistoryView<M>,
  plan: CompactionPlan,
  note: Note | undefined,
): CompactionOutcome<M> | undefined {
  const { options, settings, tell } = bench;
  if (!options.flushToMemory || options.extract) return undefined;
  const was = note?.reminded || event.messages.some((message, index) => index >= view.foldEnd && isOwnReminder(message));
  if (was) {
    tell({ type: 'flushed', by: 'reminder', facts: [] }, event.context);
    return undefined;
  }
  const skip = (reason: 'no_memory_tool' | 'over_window'): undefined => tell({ type: 'flush_skipped', reason }, event.context) as undefined;
  if (!toolsOf(event).some(({ name }) => name === 'memory')) return skip('no_memory_tool');
  const messages = [...repair(bench, event, event.messages), synthetic(REMINDER, isMarked(event.messages)) as object as M];
  const tokens = bench.overheadOf(event) + bench.countAll(messages);
  if (tokens > settings.windowTokens) return skip('over_window');
  bench.notes.put(event.messages, plan.tokens, note, { reminded: true });
  tell({ type: 'flush_requested', tokens: plan.tokens }, event.context);
  return { status: 'reminded', messages, tokens };
}
