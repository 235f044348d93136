import {
  type ContextualElementType,
  type ContextualPromptElement,
  type CountTokens,
  type ElementCriteria,
  elementFaults,
  freezeDeep,
} from '@x/core';
import { type CompiledCriteria, type KnownPredicates, readCriteria } from './compile-criteria.js';
import { DEFAULT_SCAN_DEPTH } from './compile-text.js';
import { refuseFaults } from './refuse-faults.js';

/** An element that was read once. */
export interface CompiledElement {
  readonly element: ContextualPromptElement;
  /** Its id, or a name made of type and place; unique in its list. */
  readonly key: string;
  /** Place in the list, from 0. */
  readonly index: number;
  readonly type: ContextualElementType;
  readonly content: string;
  readonly priority: number;
  readonly group: string | undefined;
  readonly criteria: CompiledCriteria;
  readonly tokens: number;
}

export interface CompiledElements {
  /** As declared. */
  readonly all: readonly CompiledElement[];
  /** In the order in which they are considered: highest priority first, then as declared. */
  readonly ranked: readonly CompiledElement[];
  /** Of those, the ones that are in every prompt of a session. */
  readonly fixed: readonly CompiledElement[];
  /** The others. */
  readonly matched: readonly CompiledElement[];
  /** How many of the newest texts the text criteria search at most; 0 without any. */
  readonly scanDepth: number;
}

/**
 * Reads a persona's elements. Each is frozen on the way, with its criteria: whoever changes one later is told so by a
 * `TypeError` instead of getting yesterday's answer.
 *
 * @throws {@link ElementInvalidError}, {@link CriteriaInvalidError}, {@link PatternUnsafeError}
 */
export function compileElements(
  elements: readonly ContextualPromptElement[],
  predicates: KnownPredicates,
  countTokens: CountTokens,
): CompiledElements {
  refuseFaults(elementFaults(elements, { predicates }));
  const keys = new Set<string>();
  const compiled = elements.map((element: ContextualPromptElement, index): CompiledElement => {
    const path = `contextualPromptElements[${index}]`;
    const wanted = element.id ?? `${element.type}#${index}`;
    const key = keys.has(wanted) ? `${wanted}#${index}` : wanted;
    keys.add(key);
    const criteria = readCriteria(freezeDeep(element).criteria, `${path}.criteria`);
    const { type, content, priority = 0, group } = element;
    return { element, key, index, type, content, priority, group, criteria, tokens: countTokens(content) };
  });
  const ranked = compiled
    .filter(({ criteria }) => criteria.constant !== false)
    .sort((a, b) => b.priority - a.priority || a.index - b.index);
  const open = new Set(ranked.flatMap(({ criteria, group }) => (criteria.constant === undefined && group !== undefined ? [group] : [])));
  // An element that could lose its place to another one of its group is not sure to stay.
  const stays = ({ criteria, group }: CompiledElement): boolean => criteria.constant === true && (group === undefined || !open.has(group));
  const scanDepth = Math.max(0, ...elements.map(({ criteria }) => scanDepthOf(criteria)));
  return { all: compiled, ranked, fixed: ranked.filter(stays), matched: ranked.filter((element) => !stays(element)), scanDepth };
}

function scanDepthOf(criteria: ElementCriteria | undefined): number {
  if (criteria === undefined) return 0;
  const own = criteria.text === undefined ? 0 : (criteria.text.scanDepth ?? DEFAULT_SCAN_DEPTH);
  return Math.max(own, scanDepthOf(criteria.not), ...(criteria.anyOf ?? []).map(scanDepthOf));
}
