import type { ContextualPromptElement, CountTokens } from '@x/core';
import type { KnownPredicates } from './compile-criteria.js';
import { type CompiledElement, type CompiledElements, compileElements } from './compile-elements.js';
import { createStateIndex } from './create-state-index.js';
import { MatchContext } from './match-context.js';
import { renderElements } from './render-elements.js';
import { type ElementLimits, type Selection, selectRanked } from './select-elements.js';

/** A persona's elements with all that no turn can change. */
export interface PreparedElements extends CompiledElements {
  /** What was chosen of the elements that are always there. */
  readonly always: Selection;
  /** Their text. */
  readonly stableText: string;
  /** The groups they take, each with its element. */
  readonly takenGroups: ReadonlyMap<string, string>;
  /** Those of `matched` that the state does not rule out. */
  readonly candidates: (context: MatchContext) => readonly CompiledElement[];
}

export interface PrepareOptions {
  readonly predicates: KnownPredicates;
  readonly countTokens: CountTokens;
  readonly stableLimits: ElementLimits;
}

export function prepareElements(
  elements: readonly ContextualPromptElement[],
  { predicates, countTokens, stableLimits }: PrepareOptions,
): PreparedElements {
  const compiled = compileElements(elements, predicates, countTokens);
  const always = selectRanked(compiled.fixed, new MatchContext({}), stableLimits);
  const takenGroups = new Map(always.chosen.flatMap(({ group, key }) => (group === undefined ? [] : [[group, key] as const])));
  return { ...compiled, always, stableText: renderElements(always.chosen), takenGroups, candidates: createStateIndex(compiled.matched) };
}

/**
 * {@link prepareElements}, done once for each list. A list is known by itself and by the elements in it, which are
 * frozen: one that was added, taken out or put in another's place is noticed.
 */
export function createElementCache(options: PrepareOptions): (elements: readonly ContextualPromptElement[]) => PreparedElements {
  const cache = new WeakMap<object, { readonly items: readonly ContextualPromptElement[]; readonly prepared: PreparedElements }>();
  return (elements) => {
    const known = cache.get(elements);
    if (known !== undefined && isSame(known.items, elements)) return known.prepared;
    const prepared = prepareElements(elements, options);
    cache.set(elements, { items: [...elements], prepared });
    return prepared;
  };
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}
