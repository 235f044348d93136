import { AgentosError, type PendingRequest } from '@x/core';

/** A session or lane was closed; open another. */
export class SessionClosedError extends AgentosError {
  override readonly name = 'SessionClosedError';
  readonly code = 'session_closed';
  readonly retryable = false;
  constructor(lane: string) {
    super(`Lane ${lane}: this session is closed. Open another one.`);
  }
}

/** The conversation waits for a human; `request` is the question. */
export class TurnParkedError extends AgentosError {
  override readonly name = 'TurnParkedError';
  readonly code = 'turn_parked';
  readonly retryable = false;
  readonly request: PendingRequest;
  constructor(request: PendingRequest) {
    super(`The conversation waits for the answer to ${request.id} (${request.kind}). Call resume, with ok: false to drop it.`);
    this.request = request;
  }
}

/** `resume` was called and no turn waits. */
export class NothingParkedError extends AgentosError {
  override readonly name = 'NothingParkedError';
  readonly code = 'nothing_parked';
  readonly retryable = false;
  constructor(problem = 'No turn of this conversation waits for an answer. It may have been answered already.') {
    super(problem);
  }
}

/** The answer belongs to another question; the turn goes on waiting. */
export class AnswerMismatchError extends AgentosError {
  override readonly name = 'AnswerMismatchError';
  readonly code = 'answer_mismatch';
  readonly retryable = false;
  constructor({ expected, got }: { expected: string; got: string }) {
    super(`The turn waits for the answer to ${expected}, not to ${got}. Send the answer under the id of its question.`);
  }
}

/** Somebody else answered the question first and is running the turn. */
export class AnswerUsedError extends AgentosError {
  override readonly name = 'AnswerUsedError';
  readonly code = 'answer_used';
  readonly retryable = false;
  constructor(id: string) {
    super(`The question ${id} was answered already and its turn is running. Wait for that turn.`);
  }
}

/** The tool whose question was answered with a yes is not in this process; the question stays open. */
export class ToolMissingError extends AgentosError {
  override readonly name = 'ToolMissingError';
  readonly code = 'tool_missing';
  readonly retryable = false;
  /** Its name. */
  readonly tool: string;
  constructor(tool: string) {
    super(`This process has no tool ${tool}, which the answer is for. Pass it as a tool, resume where it is, or decline with ok: false.`);
    this.tool = tool;
  }
}

/** Another process appended to the same conversation while the turn ran; nothing was committed. */
export class TranscriptConflictError extends AgentosError {
  override readonly name = 'TranscriptConflictError';
  readonly code = 'transcript_conflict';
  readonly retryable = true;
  constructor(conversation: string) {
    super(`Conversation ${conversation} was changed by somebody else while the turn ran. Nothing was committed; ask again.`);
  }
}

/** A commit lost against others on every try. */
export class LaneContendedError extends AgentosError {
  override readonly name = 'LaneContendedError';
  readonly code = 'lane_contended';
  readonly retryable = true;
  constructor({ lane, tries, cause }: { lane: string; tries: number; cause: unknown }) {
    super(`Lane ${lane}: ${tries} commits in a row met a newer revision. Open the lane in one process at a time.`, { cause });
  }
}

/** A host's hook threw. Hooks of features only leave a trace entry. */
export class HookFailedError extends AgentosError {
  override readonly name = 'HookFailedError';
  readonly code = 'hook_failed';
  readonly retryable = false;
  constructor({ hook, point, cause }: { hook: string; point: string; cause: unknown }) {
    super(`${point} of hook "${hook}" threw. See the cause; the turn was not committed.`, { cause });
  }
}

/** A `beforeLLM` hook returned a list that cannot be sent. */
export class HookResultInvalidError extends AgentosError {
  override readonly name = 'HookResultInvalidError';
  readonly code = 'hook_result_invalid';
  readonly retryable = false;
  constructor({ hook, problem }: { hook: string; problem: string }) {
    super(`beforeLLM of hook "${hook}": ${problem}. Return the messages it was given, shortened or with additions, the input among them.`);
  }
}

/** A model threw something that is not an `AgentosError`. */
export class ModelFailedError extends AgentosError {
  override readonly name = 'ModelFailedError';
  readonly code = 'model_failed';
  readonly retryable = false;
  constructor({ model, cause }: { model: string; cause: unknown }) {
    super(`${model} failed. See the cause.`, { cause });
  }
}

/** A tool cannot be offered to a model. */
export class ToolInvalidError extends AgentosError {
  override readonly name = 'ToolInvalidError';
  readonly code = 'tool_invalid';
  readonly retryable = false;
  readonly tool: string;
  constructor({ tool, problem }: { tool: string; problem: string }) {
    super(`Tool "${tool.slice(0, 80)}": ${problem}.`);
    this.tool = tool;
  }
}

/** `undo` names an operation that the lane never committed. */
export class OperationUnknownError extends AgentosError {
  override readonly name = 'OperationUnknownError';
  readonly code = 'operation_unknown';
  readonly retryable = false;
  constructor(id: string) {
    super(`No committed operation has the id ${id}. Take it from session.operations().`);
  }
}

/** A hook or tool held on to a turn and changed it after its commit. */
export class TurnOverError extends AgentosError {
  override readonly name = 'TurnOverError';
  readonly code = 'turn_over';
  readonly retryable = false;
  constructor(turn: string) {
    super(`Turn ${turn} is over. Use session.apply for a change outside a turn.`);
  }
}

/** An id was given to turns of two conversations of one lane; the later one was not committed. */
export class TurnIdUsedError extends AgentosError {
  override readonly name = 'TurnIdUsedError';
  readonly code = 'turn_id_used';
  readonly retryable = false;
  readonly turn: string;
  constructor(turn: string) {
    super(`Turn ${turn} was committed before, in another conversation of this lane. Give each turn an id of its own.`);
    this.turn = turn;
  }
}

/** A turn, a tool or background work ran past its time. */
export class TurnTimeoutError extends AgentosError {
  override readonly name = 'TurnTimeoutError';
  readonly code = 'turn_timeout';
  readonly retryable = true;
  /** Such as `turn`, `tool bash`, `background work of memory`. */
  readonly what: string;
  readonly limitMs: number;
  /** @param option - The name of the option that sets the limit. */
  constructor({ what, limitMs, option }: { what: string; limitMs: number; option: string }) {
    super(`The ${what} reached its time limit of ${limitMs} ms. Raise ${option}, or ask for less.`);
    this.what = what;
    this.limitMs = limitMs;
  }
}

/** A message list would be refused by every provider; it was not sent. */
export class RequestInvalidError extends AgentosError {
  override readonly name = 'RequestInvalidError';
  readonly code = 'request_invalid';
  readonly retryable = false;
  constructor({ index, problem }: { index: number; problem: string }) {
    super(`Message ${index} of the request: ${problem}. Nothing was sent; repair the transcript.`);
  }
}
