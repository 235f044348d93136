import { type BatchWork, KEYS, type MoodAdaptation, type Operation } from '@x/core';
import type { Asked } from './ask-model.js';
import { clip } from './fence.js';
import { moodSinceOf } from './mood-decay.js';
import { namesMood, type ReadUpdatesOptions, readUpdates } from './read-updates.js';
import { TURNS_KEY } from './usage.js';

/** Most characters of the `why` in the log. */
export const WHY_CHARS = 240;

/** Moods that metaprompts may choose; `undefined` for all. A persona whose mood does not adapt allows none. */
export function allowedMoodsOf(adaptation: MoodAdaptation | undefined): readonly string[] | undefined {
  return adaptation?.enabled === false ? [] : adaptation?.allowedMoods;
}

/** Applies what a metaprompt replied, or says in the trace why nothing came of it. */
export function applyOutcome(
  { id, because, outcome }: { readonly id: string; readonly because: string; readonly outcome: Asked },
  work: BatchWork,
  options: ReadUpdatesOptions,
): void {
  if (!outcome.ok) {
    const { reason, problem, calls } = outcome;
    work.trace({
      type: 'ERROR',
      message: `Metaprompt ${id} changed nothing: ${reason}.`,
      details: { metaprompt: id, because, reason, problem, calls },
    });
    return;
  }
  const before = work.state;
  const { operations, refusals, rationale } = readUpdates(outcome.value, before, options);
  for (const { field, reason } of refusals)
    work.trace({ type: 'WARNING', message: `Metaprompt ${id}: ${field} was refused.`, details: { metaprompt: id, field, reason } });
  const why = clip(rationale === '' ? `${id} (${because})` : `${id} (${because}): ${rationale}`, WHY_CHARS);
  for (const operation of [...operations, ...renewal(outcome.value, operations, work)]) work.apply(operation, why);
  if (operations.length === 0) {
    work.trace({ type: 'DEBUG', message: `Metaprompt ${id} found nothing to change.`, details: { metaprompt: id, because } });
    return;
  }
  const { mood, skill, complexity } = work.state;
  work.trace({
    type: 'STATE_CHANGE',
    message: `Metaprompt ${id} changed the state.`,
    details: {
      metaprompt: id,
      because,
      ...(mood !== before.mood && { newMood: mood }),
      ...(skill !== before.skill && { newUserSkill: skill }),
      ...(complexity !== before.complexity && { newTaskComplexity: complexity }),
      imprints: operations.flatMap((operation) => ('imprint' in operation ? [operation.imprint] : [])),
      rationale,
    },
  });
}

/** A mood that was named starts to age anew, whether it is a new one or the old one again. */
function renewal(reply: { readonly [field: string]: unknown }, operations: readonly Operation[], work: BatchWork): readonly Operation[] {
  const set = operations.find((operation) => 'set' in operation && operation.set === 'mood');
  const mood = set && 'to' in set ? set.to : namesMood(reply, work.state.mood) ? work.state.mood : undefined;
  return mood === undefined ? [] : [{ put: KEYS.moodSince, value: moodSinceOf(mood, work.state.values[TURNS_KEY], work.atMs) }];
}
