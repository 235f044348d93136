import type { Parked, PendingRequest } from '@x/agentos';
import { type AnswerForm, formOf } from '../answer-form.js';

/** The question that a session waits with, as a human is to see it. */
export interface OpenQuestion extends Pick<PendingRequest, 'id' | 'kind' | 'prompt' | 'url' | 'data' | 'expiresAtMs'> {
  readonly form: AnswerForm;
  readonly turn: string;
  /** The tool whose call waits, with what it was called with, as JSON. */
  readonly tool: string;
  readonly args: string;
  /** Who asks. */
  readonly asker: string;
  /** Absent when the turn was parked by somebody who keeps no reports. */
  readonly sinceMs?: number | undefined;
  /** An answer is being worked on. */
  readonly isAnswered: boolean;
  /** This process has the tool; without it only a no can be used. */
  readonly hasTool: boolean;
}

/** What is open, from what the store keeps of a turn that waits. */
export function openQuestion(
  parked: Parked,
  {
    asker,
    sinceMs,
    isAnswered,
    tools,
  }: Pick<OpenQuestion, 'asker' | 'sinceMs' | 'isAnswered'> & { /** Their names. */ readonly tools: ReadonlySet<string> },
): OpenQuestion {
  const { turn, request } = parked;
  const { id, kind, prompt, url, data, expiresAtMs } = request;
  const { tool, args } = waitingCall(parked);
  return {
    ...{ id, kind, prompt, url, data, expiresAtMs, form: formOf(request), turn, asker, sinceMs, isAnswered, tool, args },
    hasTool: tools.has(tool),
  };
}

/** The call that waits, with its arguments as JSON. */
export function waitingCall({ current, callId }: Parked): { readonly tool: string; readonly args: string } {
  const call = current.flatMap((message) => message.tool_calls ?? []).find((each) => each.id === callId)?.function;
  return { tool: call?.name ?? 'a tool', args: call?.arguments ?? '{}' };
}
