import type { IPersonaDefinition, Turn, TurnHook } from '@x/core';
import { checkDefinitions } from './check-definitions.js';
import { checkOptions } from './check-options.js';
import { estimateCost } from './estimate-cost.js';
import { decayMood, MOOD_FADED, nextTurn } from './mood-decay.js';
import { localHandlerOf } from './presets.js';
import { type RunBatchOptions, runMetapromptBatch } from './run-batch.js';
import { type SpokenItem, speakerOf } from './speaker.js';
import { decideTriggers } from './triggers.js';
import { DAILY_TOKENS, readUsage, tokensLeft } from './usage.js';

export interface MetapromptHookOptions extends Omit<RunBatchOptions, 'definitions'> {
  /** Its presets are merged in here; a persona that was normalised before is the same. */
  readonly persona: IPersonaDefinition;
  /** Tokens that all metaprompts of a lane together may use in a day (UTC); default 1,000,000. */
  readonly dailyTokens?: number | undefined;
}

/** The name under which metaprompts stand in the log. */
export const METAPROMPT_HOOK = 'metaprompt';

/**
 * The metaprompts of a persona as a hook of the turn.
 *
 * Before a turn a mood that nothing renewed fades. After it, counters, events and flags decide what runs; that is
 * recorded with the turn and asks no model. The run comes later, in the background, one batch at a time, and its
 * changes are one commit. In a directory's lane what strangers say is no evidence, and what they wake changes the mood
 * alone, which fades.
 *
 * @throws `invalid_argument` for an option outside its range.
 */
export function metapromptHook(options: MetapromptHookOptions): TurnHook {
  checkOptions(options);
  const { persona, dailyTokens = DAILY_TOKENS } = options;
  const { usable, issues } = checkDefinitions(persona);
  const isLocal = (definition: (typeof usable)[number]): boolean =>
    definition.mode === 'local' || (options.mode === 'local' && localHandlerOf(definition) !== undefined);
  let told = false;
  return {
    name: METAPROMPT_HOOK,
    beforeTurn(turn) {
      if (!told) for (const { code, id, message } of issues) turn.trace({ type: 'WARNING', message, details: { code, metaprompt: id } });
      told = true;
      if (turn.origin !== 'user') return;
      const now = { turn: nextTurn(turn.state.values), atMs: turn.atMs };
      for (const operation of decayMood(turn.state, now, persona.moodAdaptation)) turn.apply(operation, MOOD_FADED);
    },
    afterTurn(turn): { readonly batch: readonly SpokenItem[] } | undefined {
      if (usable.length === 0) return undefined;
      const speaker = speakerOf(turn);
      const decision = decideTriggers({
        definitions: usable,
        values: turn.state.values,
        events: turn.events,
        countTurn: turn.origin === 'user',
        strangersTurn: speaker === 'stranger',
        tokensLeft: tokensLeft(readUsage(turn.state.values), dailyTokens, turn.atMs),
        estimateTokens: (definition) => (isLocal(definition) ? 0 : total(estimateCost(definition, options))),
      });
      for (const { operation, why } of decision.operations) turn.apply(operation, why);
      turn.consume(decision.consumed);
      tell(turn, decision);
      if (decision.items.length === 0) return undefined;
      return { batch: speaker === undefined ? decision.items : decision.items.map((item) => ({ ...item, speaker })) };
    },
    runBatch: (batch, work) => runMetapromptBatch(batch, work, { ...options, definitions: usable }),
  };
}

function tell(turn: Turn, { items, suppressed }: ReturnType<typeof decideTriggers>): void {
  if (items.length > 0)
    turn.trace({
      type: 'DEBUG',
      message: 'Metaprompts were triggered.',
      details: { ids: items.map(({ id }) => id), because: items.map(({ because }) => because) },
    });
  for (const { id, because, reason } of suppressed)
    turn.trace({
      type: 'DEBUG',
      message: `Metaprompt ${id} was woken but does not run: ${reason}.`,
      details: { metaprompt: id, because, reason },
    });
}

function total({ inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number }): number {
  return inputTokens + outputTokens;
}
