import type { AgentState, createRequestLayout, Placement, TurnHook } from '@x/core';
import type { AuditedRequest, PromptHookOptions } from '@x/prompt-engine';

export interface Session {
  readonly turns: number;
  readonly prefixTokens: number;
  readonly userTokens: number;
  readonly replyTokens: number;
  readonly toolTokens: number;
  readonly toolEvery: number;
  readonly blockTokens: number;
  readonly changeShare: number;
  readonly foldAtTokens: number;
  readonly tailTokens: number;
  readonly summaryTokens: number;
  readonly restartAt: number;
}
export declare const SESSION: Session;
export declare function playSession(parts: {
  readonly promptHook: (options: PromptHookOptions) => TurnHook;
  readonly createRequestLayout: typeof createRequestLayout;
  readonly countTokens: (text: string) => number;
  readonly initialState: AgentState;
  readonly session: Session;
  readonly placement?: Placement;
  readonly head?: (turn: number) => string;
}): Promise<{ readonly requests: readonly AuditedRequest[]; readonly newTokens: number }>;
