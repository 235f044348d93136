import type { ContextualElementType } from '@x/core';
import type { CompiledElement } from './compile-elements.js';
import { textStanding } from './element-timing.js';
import type { MatchContext } from './match-context.js';
import type { PromptIssue, Report } from './prompt-context.js';
import { HEADING_TOKENS } from './render-elements.js';

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

export type LeftOut = { readonly [limit in 'total_limit' | 'type_limit' | 'token_limit']: readonly string[] };

export interface Selection {
  /** In the order they were chosen. */
  readonly chosen: readonly CompiledElement[];
  /** What matched and did not fit, by the limit it met. */
  readonly left: LeftOut;
}

/**
 * Chooses the elements of one slot.
 *
 * @param ranked - Highest priority first.
 * @param limits - `roomTokens` bounds contents and headings together, as they are written into the prompt.
 * @param taken - Groups that already have their element.
 * @param explain - Is told of each element why it is in or out.
 */
export function selectRanked(
  ranked: readonly CompiledElement[],
  context: MatchContext,
  { maxElements = Infinity, maxPerType, maxTokens = Infinity, roomTokens = Infinity }: ElementLimits & { readonly roomTokens?: number },
  explain?: (element: CompiledElement, verdict: ElementVerdict) => void,
  taken: ReadonlyMap<string, string> = NO_GROUPS,
): Selection {
  const chosen: CompiledElement[] = [];
  const left = { total_limit: [] as string[], type_limit: [] as string[], token_limit: [] as string[] };
  let groups = taken;
  let tokens = 0;
  for (const one of ranked) {
    const failed = one.criteria.tests.find((test) => !test.holds(context));
    if (failed !== undefined) {
      explain?.(one, { in: false, because: 'criteria', path: failed.path });
      continue;
    }
    const verdict = standing(one, context);
    if (!verdict.in) {
      explain?.(one, verdict);
      continue;
    }
    const rival = one.group === undefined ? undefined : groups.get(one.group);
    if (rival !== undefined) {
      explain?.(one, { in: false, because: 'group', loserTo: rival });
      continue;
    }
    const limit: keyof LeftOut | undefined =
      chosen.length >= maxElements
        ? 'total_limit'
        : isTypeFull(maxPerType, one, chosen)
          ? 'type_limit'
          : tokens + one.tokens > maxTokens || tokens + one.tokens + HEADING_TOKENS * (chosen.length + 1) > roomTokens
            ? 'token_limit'
            : undefined;
    if (limit !== undefined) {
      explain?.(one, { in: false, because: limit });
      left[limit].push(one.key);
      continue;
    }
    explain?.(one, verdict);
    chosen.push(one);
    tokens += one.tokens;
    if (one.group !== undefined) groups = new Map([...groups, [one.group, one.key]]);
  }
  return { chosen, left };
}

const NO_GROUPS: ReadonlyMap<string, string> = new Map();
const ALWAYS: ElementVerdict = { in: true, because: 'always' };
const MATCHED: ElementVerdict = { in: true, because: 'matched' };

function standing({ key, criteria }: CompiledElement, context: MatchContext): ElementVerdict {
  if (criteria.constant === true) return ALWAYS;
  return criteria.text === undefined ? MATCHED : textStanding(key, criteria.text, context);
}

function isTypeFull(maxPerType: ElementLimits['maxPerType'], { type }: CompiledElement, chosen: readonly CompiledElement[]): boolean {
  const limit = typeof maxPerType === 'object' ? maxPerType[type] : maxPerType;
  return limit !== undefined && chosen.filter((one) => one.type === type).length >= limit;
}

const LIMITS: { readonly [limit in keyof LeftOut]: readonly [code: PromptIssue['code'], what: string] } = {
  total_limit: ['element_limit', 'too many'],
  type_limit: ['element_type_limit', 'too many of their type'],
  token_limit: ['element_token_limit', 'too many tokens'],
};

/** Reports what a selection left out, one issue for each limit. */
export function reportLeft({ left }: Selection, report: Report): void {
  for (const limit of ['total_limit', 'type_limit', 'token_limit'] as const) {
    const [code, what] = LIMITS[limit];
    const elements = left[limit];
    if (elements.length > 0) report(code, 'warning', `${elements.length} elements matched and were left out: ${what}.`, { elements });
  }
}

/** All that was chosen, of both slots, highest priority first, equal ones as declared. */
export function inRankOrder(always: Selection, { chosen }: Selection): readonly CompiledElement[] {
  if (always.chosen.length === 0) return chosen;
  return [...always.chosen, ...chosen].sort((a, b) => b.priority - a.priority || a.index - b.index);
}
