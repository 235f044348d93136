import type { Answer, createRequestLayout, IChatModel, Json, Layout, ModelRequest, Random } from '@x/core';
import type { MessageCheck } from './message-check.js';
import type { PrefixMemory } from './prefix-memory.js';
import type { ToolRunner } from './run-tools.js';
import type { Budgets, Meter, WaitFor } from './session-types.js';

/** What the steps of a turn need of the turn around them. */
export interface StepsInput extends ToolRunner {
  /** Read and replaced in place as the turn goes on. */
  readonly place: { layout: Layout };
  readonly model: IChatModel;
  readonly generation: Pick<ModelRequest, 'temperature' | 'maxOutputTokens'>;
  readonly budgets: Budgets;
  readonly meter?: Meter | undefined;
  readonly waitFor?: WaitFor | undefined;
  readonly prefix: PrefixMemory;
  /** Of this conversation; remembers its last request. */
  readonly layOut: ReturnType<typeof createRequestLayout>;
  readonly check: MessageCheck;
  /** True when somebody is told of the events, and may keep a request. */
  readonly isHeard: boolean;
  readonly overhead: (layout: Layout) => number;
  readonly random: Random;
  /** True when `signal` was aborted by the time limit. */
  outOfTime(): boolean;
  /** Present when a parked turn goes on. */
  readonly open?: OpenCall | undefined;
  readonly journal?: ((entry: Json) => void) | undefined;
}

/** The call that waited, and what to do with it. */
export interface OpenCall {
  readonly callId: string;
  readonly answer: Answer;
  /** What stands in the place of the result when the tool is not to run again. */
  readonly settled?: SettledCall | undefined;
  /** The tool is about to be called: from here on it may have taken effect. */
  readonly onCalled?: (() => void) | undefined;
  /** The tool gave its result; what follows may still fail. */
  readonly onResult?: ((result: SettledCall) => void) | undefined;
}

/** The result of a call, when it is known without running the tool. */
export interface SettledCall {
  readonly output: string;
  readonly isError: boolean;
}
