import type { CompiledElement } from './compile-elements.js';
import type { MatchContext } from './match-context.js';

/** States that an index remembers: all of mood, skill and complexity, and room for words of a host's own. */
const MAX_STATES = 256;

/**
 * Narrows a list down to the elements whose conditions on mood, skill and complexity hold. A session is in few states,
 * so each is worked out once; its key is all that these conditions read.
 */
export function createStateIndex(ranked: readonly CompiledElement[]): (context: MatchContext) => readonly CompiledElement[] {
  const byState = new Map<string, readonly CompiledElement[]>();
  return (context) => {
    const state = `${context.mood}\n${context.skill}\n${context.complexity}`;
    const known = byState.get(state);
    if (known !== undefined) return known;
    if (byState.size >= MAX_STATES) byState.clear();
    const candidates = ranked.filter(({ criteria }) => criteria.tests.every((test) => !test.ofState || test.holds(context)));
    byState.set(state, candidates);
    return candidates;
  };
}
