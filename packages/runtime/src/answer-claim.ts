import { type Answer, type Clock, createId, type Json, type Logged, type Operation, type Parked, type Random } from '@x/core';
import { refusalFor } from './ask-human.js';
import { AnswerUsedError, NothingParkedError, ToolMissingError } from './errors.js';
import type { LaneState } from './lane-state.js';
import { relaysAnswer } from './run-tools.js';
import type { SettledCall } from './steps-input.js';
import type { ToolSet } from './tool-set.js';
import { claimKey } from './turn-signals.js';

/** How long an answer that is being worked on keeps others away; after it the worker counts as dead. The figure is ours. */
const CLAIM_MS = 10 * 60_000;

/** What earlier runs left of an answered call: `{}` when its tool was called and nothing is known of how it ended. */
type Ran = Partial<SettledCall>;

/** How far an answered call got in a run that may fail after it. */
export interface Attempt {
  /** True once the tool itself was called. */
  started: boolean;
  outcome?: SettledCall | undefined;
  /** What the tool applied. */
  operations?: readonly Logged[] | undefined;
}

/** As it stands in the lane's state. */
interface Claim {
  readonly id: string;
  readonly atMs: number;
  /** The run that held it has ended: anybody may go on. */
  readonly over?: true | undefined;
  readonly ran?: Ran | undefined;
}

/** Lets one run at a time work on an answer, and remembers of a failed one whether its tool was called. */
export interface AnswerClaims {
  /** @returns What is known of the call. @throws `nothing_parked`, `answer_used`. */
  take(parked: Parked): Promise<Ran | undefined>;
  /** After a run that failed: the question is open again. A tool that was called keeps its result, with what it applied. */
  leave(parked: Parked, before: Ran | undefined, attempt: Attempt): Promise<void>;
}

export function createAnswerClaims({
  laneState,
  conversation,
  clock,
  random,
}: {
  readonly laneState: LaneState;
  readonly conversation: string;
  readonly clock: Clock;
  readonly random: Random;
}): AnswerClaims {
  const key = claimKey(conversation);
  const entry = (operation: Operation, why: string, turn: string): Logged => ({
    id: createId('op', random),
    operation,
    by: 'runtime',
    why,
    from: null,
    to: null,
    turn,
    atMs: clock.now(),
  });
  const put = (claim: Claim): Operation => ({ put: key, value: JSON.parse(JSON.stringify(claim)) as Json });
  const heldIn = (values: { readonly [name: string]: unknown }, parked: Parked): Claim | undefined => {
    const held = values[key] as Claim | undefined;
    return held?.id === parked.request.id ? held : undefined;
  };
  return {
    async take(parked) {
      const seen = heldIn((await laneState.load(conversation)).state.values, parked);
      // Whoever died over the answer may have called the tool.
      const ran = seen && (seen.ran ?? (seen.over ? undefined : {}));
      const turn = createId('claim', random);
      await laneState.commit({
        turn,
        conversation,
        operations: [entry(put({ id: parked.request.id, atMs: clock.now(), ran }), 'an answer is being worked on', turn)],
        check(snapshot) {
          if (snapshot.parked?.request.id !== parked.request.id) throw new NothingParkedError();
          const held = heldIn(snapshot.state.values, parked);
          // A claim that lies as far ahead is of a clock that was set right since.
          const isFree = held === undefined || held.over || Math.abs(clock.now() - held.atMs) >= CLAIM_MS;
          if (!isFree || held?.atMs !== seen?.atMs) throw new AnswerUsedError(parked.request.id);
        },
      });
      return ran;
    },
    async leave(parked, before, { started, outcome, operations = [] }) {
      const ran = started ? (outcome ?? {}) : before;
      const claim: Operation = ran ? put({ id: parked.request.id, atMs: clock.now(), over: true, ran }) : { unset: key };
      const turn = createId('set', random);
      const done = outcome && !outcome.isError ? operations : [];
      const why = 'the turn failed; the question is open again';
      await laneState.commit({ turn, conversation, operations: [...done, entry(claim, why, turn)] }).catch(() => {});
    },
  };
}

/**
 * What an answered call gets without its tool being run: a refusal, or what an earlier run left of it.
 *
 * @throws `tool_missing` when only the tool could go on, and it is not among `tools`.
 */
export function settledBefore(
  { parked, answer, nowMs }: { readonly parked: Parked; readonly answer: Answer; readonly nowMs: number },
  ran: Ran | undefined,
  tools: ToolSet,
): SettledCall | undefined {
  const { output, isError = false } = ran ?? {};
  const name = parked.current.flatMap((message) => message.tool_calls ?? []).find((call) => call.id === parked.callId)?.function.name;
  const tool = name === undefined ? undefined : tools.byName.get(name);
  const once = (tool?.repeat ?? 'once') === 'once' && !relaysAnswer(tool);
  if (output !== undefined && (once || !isError)) return { output, isError };
  const refusal = refusalFor(parked.request, answer, nowMs);
  if (!refusal && ran === undefined && name !== undefined && !tool) throw new ToolMissingError(name);
  if (refusal || ran === undefined || !once) return refusal;
  return { output: 'The answer was given, but the run that used it was cut off. Whether the tool took effect is unknown.', isError: true };
}
