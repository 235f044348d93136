import { ContextualElementType, type ContextualPromptElement, type CountTokens, type ElementCriteria, isForbiddenKey } from '@x/core';
import { type CompiledCriteria, compileCriteria, type KnownPredicates } from './compile-criteria.js';
import { DEFAULT_SCAN_DEPTH } from './compile-text.js';
import { ElementInvalidError } from './errors.js';
import { isPlainObject } from './read-shape.js';

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

const TYPES: readonly string[] = Object.values(ContextualElementType);
const KNOWN: readonly (keyof ContextualPromptElement)[] = ['id', 'type', 'content', 'criteria', 'priority', 'group'];

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
  if (!Array.isArray(elements)) throw new ElementInvalidError({ path: 'contextualPromptElements', problem: 'must be a list' });
  const keys = new Set<string>();
  const compiled = elements.map((element: ContextualPromptElement, index): CompiledElement => {
    const path = `contextualPromptElements[${index}]`;
    checkElement(element, path);
    const wanted = element.id ?? `${element.type}#${index}`;
    const key = keys.has(wanted) ? `${wanted}#${index}` : wanted;
    keys.add(key);
    const criteria = compileCriteria(freeze(element).criteria, predicates, `${path}.criteria`);
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

function checkElement(element: ContextualPromptElement, path: string): void {
  if (!isPlainObject(element)) throw new ElementInvalidError({ path, problem: 'must be an object' });
  const unknown = Object.keys(element).find((key) => !(KNOWN as readonly string[]).includes(key));
  if (unknown !== undefined)
    throw new ElementInvalidError({ path: `${path}.${unknown}`, problem: `is not known. Known are ${KNOWN.join(', ')}` });
  const { id, type, content, priority, group } = element;
  if (!TYPES.includes(type)) throw new ElementInvalidError({ path: `${path}.type`, problem: `must be one of ${TYPES.join(', ')}` });
  if (typeof content !== 'string' || content.trim() === '') {
    throw new ElementInvalidError({ path: `${path}.content`, problem: 'must be a text that is not blank' });
  }
  if (priority !== undefined && !Number.isFinite(priority)) {
    throw new ElementInvalidError({ path: `${path}.priority`, problem: 'must be a finite number' });
  }
  for (const [name, value] of Object.entries({ id, group })) {
    if (value !== undefined && (typeof value !== 'string' || value.trim() === '' || isForbiddenKey(value))) {
      throw new ElementInvalidError({ path: `${path}.${name}`, problem: 'must be a text that is not blank and no name of a prototype' });
    }
  }
}

/** Freezes a value and all that is in it. */
export function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}
