import { type Answer, isAgentosError, type PendingRequest, raceAbort } from '@x/core';
import { AnswerMismatchError, HookFailedError } from './errors.js';
import type { WaitFor } from './session-types.js';
import type { SettledCall } from './steps-input.js';

/**
 * Puts a question to the host while the turn waits.
 *
 * @returns `undefined` when nobody answers now, or not in time: the turn parks and may be answered later.
 * @throws `answer_mismatch`, `hook_failed`, `stop.reason`.
 */
export async function askHuman(
  waitFor: WaitFor,
  request: PendingRequest,
  { signal, stop }: { readonly signal: AbortSignal; readonly stop: AbortSignal },
): Promise<Answer | undefined> {
  try {
    const answer = await raceAbort(Promise.resolve(waitFor(request, { signal })), signal);
    if (answer && answer.id !== request.id) throw new AnswerMismatchError({ expected: request.id, got: answer.id });
    return answer;
  } catch (error) {
    if (stop.aborted) throw stop.reason;
    if (signal.aborted) return undefined;
    if (isAgentosError(error)) throw error;
    throw new HookFailedError({ hook: 'host', point: 'waitFor', cause: error });
  }
}

/** What a call is answered with when its question was declined or came back too late; `undefined` when it may run. */
export function refusalFor({ prompt, expiresAtMs }: PendingRequest, answer: Answer, nowMs: number): SettledCall | undefined {
  if (expiresAtMs !== undefined && nowMs > expiresAtMs) return { output: `expired: ${prompt}`, isError: true };
  return answer.ok ? undefined : { output: `${answer.reason ?? 'declined'}: ${prompt}`, isError: true };
}
