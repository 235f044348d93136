import type { ContextualElementType } from '@x/core';
import type { CompiledElement } from './compile-elements.js';
import { textStanding } from './element-timing.js';
import type { MatchContext } from './match-context.js';
import type { PromptIssue } from './prompt-context.js';

/** How much may enter one slot. Of two elements the one of higher priority enters first, then the one declared first. */
export interface ElementLimits {
  /** Elements in all; default 10 for those that depend on the turn, no limit for those that are always there. */
  readonly maxElements?: number | undefined;
  /** Elements of one type; default no limit. */
  readonly maxPerType?: number | { readonly [T in ContextualElementType]?: number | undefined } | undefined;
  /** Tokens of all contents; default no limit. An element that does not fit is passed over, smaller ones after it may enter. */
  readonly maxTokens?: number | undefined;
}

/** Why an element is in or out. */
export type ElementVerdict =
  | { readonly in: true; readonly because: 'always' | 'matched' | 'sticky' }
  | {
      readonly in: false;
      readonly because: 'criteria' | 'never' | 'text' | 'resting' | 'delayed' | 'chance' | 'type_limit' | 'total_limit' | 'token_limit';
      /** The condition that does not hold, such as `contextualPromptElements[2].criteria.mood`. */
      readonly path?: string | undefined;
    }
  | { readonly in: false; readonly because: 'group' /** The element that has the place. */; readonly loserTo: string };

export interface Selection {
  /** In the order they were chosen. */
  readonly chosen: readonly CompiledElement[];
  readonly issues: readonly PromptIssue[];
}

/**
 * Chooses the elements of one slot.
 *
 * @param ranked - Highest priority first.
 * @param taken - Groups that already have their element.
 * @param explain - Is told of each element why it is in or out.
 */
export function selectRanked(
  ranked: readonly CompiledElement[],
  context: MatchContext,
  limits: ElementLimits,
  explain?: (element: CompiledElement, verdict: ElementVerdict) => void,
  taken: ReadonlyMap<string, string> = new Map(),
): Selection {
  const { maxElements = Number.POSITIVE_INFINITY, maxTokens = Number.POSITIVE_INFINITY } = limits;
  const chosen: CompiledElement[] = [];
  const issues: PromptIssue[] = [];
  const groups = new Map(taken);
  const perType = new Map<string, number>();
  let tokens = 0;
  for (const one of ranked) {
    const verdict = judge(one, context);
    if (!verdict.in) {
      explain?.(one, verdict);
      continue;
    }
    const rival = one.group === undefined ? undefined : groups.get(one.group);
    if (rival !== undefined) {
      explain?.(one, { in: false, because: 'group', loserTo: rival });
      continue;
    }
    const ofType = perType.get(one.type) ?? 0;
    const limit =
      chosen.length >= maxElements
        ? 'total_limit'
        : ofType >= typeLimit(limits, one)
          ? 'type_limit'
          : tokens + one.tokens > maxTokens
            ? 'token_limit'
            : undefined;
    if (limit !== undefined) {
      explain?.(one, { in: false, because: limit });
      issues.push(cut(one, limit));
      continue;
    }
    explain?.(one, verdict);
    chosen.push(one);
    perType.set(one.type, ofType + 1);
    tokens += one.tokens;
    if (one.group !== undefined) groups.set(one.group, one.key);
  }
  return { chosen, issues };
}

const ALWAYS: ElementVerdict = { in: true, because: 'always' };
const MATCHED: ElementVerdict = { in: true, because: 'matched' };

function judge({ key, criteria }: CompiledElement, context: MatchContext): ElementVerdict {
  if (criteria.constant === true) return ALWAYS;
  for (const test of criteria.tests) if (!test.holds(context)) return { in: false, because: 'criteria', path: test.path };
  return criteria.text === undefined ? MATCHED : textStanding(key, criteria.text, context);
}

function typeLimit({ maxPerType }: ElementLimits, { type }: CompiledElement): number {
  if (maxPerType === undefined) return Number.POSITIVE_INFINITY;
  return typeof maxPerType === 'number' ? maxPerType : (maxPerType[type] ?? Number.POSITIVE_INFINITY);
}

const CUTS = {
  total_limit: { code: 'element_limit', what: 'the limit of elements is reached' },
  type_limit: { code: 'element_type_limit', what: 'the limit of its type is reached' },
  token_limit: { code: 'element_token_limit', what: 'it does not fit into the token budget of its slot' },
} as const;

function cut(element: CompiledElement, limit: keyof typeof CUTS): PromptIssue {
  const { code, what } = CUTS[limit];
  return {
    code,
    severity: 'warning',
    message: `The element ${element.key} matched and was left out: ${what}.`,
    details: { element: element.key },
  };
}
