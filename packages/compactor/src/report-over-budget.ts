import type { CompactorEvent } from './compactor-event.js';
import type { Note } from './notes.js';
import type { CompactionPlan } from './plan-compaction.js';
import type { Workbench } from './workbench.js';

/** Says once for each state of a conversation that something does not fit. */
export function reportOverBudget(
  { notes, settings, tell }: Workbench,
  event: CompactorEvent<object>,
  plan: CompactionPlan,
  note: Note | undefined,
): void {
  const irreducible = plan.irreducible ?? 'turn';
  const state = `${plan.irreducible}`;
  if (note?.reported === state) return;
  notes.put(event.messages, note?.tokens ?? plan.tokens, note, { reported: state });
  tell({ type: 'over_budget', irreducible, tokens: plan.expectedTokens, maxTokens: settings.maxTokens }, event.context);
}
