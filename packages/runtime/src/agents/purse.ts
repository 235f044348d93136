import type { Limit, Meter } from '../session-types.js';
import type { AgentBudget, AgentLimit } from './agent-types.js';

/**
 * What a handle may spend. Each amount is taken from it and from all above it at once, so that no child can use what
 * its parents no longer have.
 */
export class Purse {
  readonly maxTurns: number;
  readonly maxConcurrent: number;
  readonly maxDepth: number;
  readonly maxChildren: number;
  /** Milliseconds since 1970, or infinity. */
  readonly deadlineMs: number;
  readonly #parent: Purse | undefined;
  readonly #maxTokens: number;
  readonly #maxToolCalls: number;
  tokensUsed = 0;
  toolCallsUsed = 0;

  constructor(budget: AgentBudget, parent: Purse | undefined, nowMs: number) {
    const { maxWallMs = Number.POSITIVE_INFINITY, maxDepth = parent?.maxDepth ?? 3 } = budget;
    this.maxTurns = budget.maxTurns ?? 6;
    this.maxConcurrent = budget.maxConcurrent ?? 8;
    this.maxChildren = budget.maxChildren ?? Number.POSITIVE_INFINITY;
    this.maxDepth = Math.min(maxDepth, parent?.maxDepth ?? Number.POSITIVE_INFINITY);
    this.deadlineMs = Math.min(nowMs + maxWallMs, parent?.deadlineMs ?? Number.POSITIVE_INFINITY);
    this.#parent = parent;
    this.#maxTokens = Math.min(budget.maxTokens ?? Number.POSITIVE_INFINITY, parent?.tokensLeft ?? Number.POSITIVE_INFINITY);
    this.#maxToolCalls = Math.min(budget.maxToolCalls ?? Number.POSITIVE_INFINITY, parent?.toolCallsLeft ?? Number.POSITIVE_INFINITY);
  }

  get tokensLeft(): number {
    return Math.max(0, Math.min(this.#maxTokens - this.tokensUsed, this.#parent?.tokensLeft ?? Number.POSITIVE_INFINITY));
  }

  get toolCallsLeft(): number {
    return Math.max(0, Math.min(this.#maxToolCalls - this.toolCallsUsed, this.#parent?.toolCallsLeft ?? Number.POSITIVE_INFINITY));
  }

  exhausted(nowMs: number): Extract<Limit, AgentLimit> | undefined {
    if (this.tokensLeft <= 0) return 'maxTokens';
    if (this.toolCallsLeft <= 0) return 'maxToolCalls';
    return nowMs >= this.deadlineMs ? 'maxWallMs' : undefined;
  }

  spend(used: { readonly tokens: number; readonly toolCalls: number }): void {
    this.tokensUsed += used.tokens;
    this.toolCallsUsed += used.toolCalls;
    this.#parent?.spend(used);
  }

  /** What a session draws on. A call that is the last one allowed still gets its answer. */
  meter(now: () => number): Meter {
    return {
      exhausted: () => (this.tokensLeft <= 0 ? 'maxTokens' : now() >= this.deadlineMs ? 'maxWallMs' : undefined),
      toolCallsLeft: () => this.toolCallsLeft,
      spend: (used) => this.spend(used),
    };
  }
}
