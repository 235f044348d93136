import { AgentosError } from '@x/core';

/** No key may go to this host: none was given, and no key of the environment belongs to it. */
export class ApiKeyMissingError extends AgentosError {
  override readonly name = 'ApiKeyMissingError';
  readonly code = 'api_key_missing';
  readonly retryable = false;
  readonly host: string;
  constructor({ host, keyName }: { host: string; keyName: string | undefined }) {
    super(
      `There is no key for ${host}. Pass apiKey${keyName === undefined ? '' : ` or set ${keyName}`}; a key of another host is never sent to it.`,
    );
    this.host = host;
  }
}

/** The package that speaks to the endpoint is not installed. */
export class DependencyMissingError extends AgentosError {
  override readonly name = 'DependencyMissingError';
  readonly code = 'dependency_missing';
  readonly retryable = false;
  constructor({ dependency, cause }: { dependency: string; cause: unknown }) {
    super(`The package ${dependency} is not installed. Run: npm install ${dependency}`, { cause });
  }
}

/** The package that speaks to the endpoint is there, and does not start. */
export class ClientFailedError extends AgentosError {
  override readonly name = 'ClientFailedError';
  readonly code = 'client_failed';
  readonly retryable = false;
  constructor({ where, cause }: { where: string; cause: unknown }) {
    super(`${where}: the client library could not be started. See the cause; reinstall it or change its options.`, { cause });
  }
}

/** A tool's input schema cannot be told to a model. */
export class ToolSchemaInvalidError extends AgentosError {
  override readonly name = 'ToolSchemaInvalidError';
  readonly code = 'tool_schema_invalid';
  readonly retryable = false;
  readonly tool: string;
  constructor({ tool, problem }: { tool: string; problem: string }) {
    super(`Tool ${tool}: ${problem}.`);
    this.tool = tool;
  }
}

/** What every failed request tells beside its code. */
export interface RequestFailure {
  /** Such as `openai/gpt-4o-mini`. */
  readonly where: string;
  /** HTTP status, when the endpoint answered with one. */
  readonly status?: number | undefined;
  /** The endpoint's own word for it, such as `context_length_exceeded`. */
  readonly reason?: string | undefined;
  readonly cause?: unknown;
}

/** The base of errors that come from asking an endpoint. */
export abstract class ModelRequestError extends AgentosError {
  /** Such as `openai/gpt-4o-mini`. */
  readonly where: string;
  readonly status: number | undefined;
  readonly reason: string | undefined;
  constructor(message: string, { where, status, reason, cause }: RequestFailure) {
    const detail = [status === undefined ? undefined : `HTTP ${status}`, reason].filter((part) => part !== undefined).join(', ');
    super(`${where}: ${message}${detail === '' ? '' : ` (${detail})`}`, { cause });
    this.where = where;
    this.status = status;
    this.reason = reason;
  }
}

/** The endpoint asks for fewer requests. */
export class RateLimitedError extends ModelRequestError {
  override readonly name = 'RateLimitedError';
  readonly code = 'rate_limited';
  readonly retryable = true;
  /** How long the endpoint asked to wait; `undefined` when it did not say. */
  readonly retryAfterMs: number | undefined;
  constructor(failure: RequestFailure & { readonly retryAfterMs?: number | undefined }) {
    super('too many requests. Wait and ask again.', failure);
    this.retryAfterMs = failure.retryAfterMs;
  }
}

/** The account has nothing left to spend; waiting does not help. */
export class QuotaExhaustedError extends ModelRequestError {
  override readonly name = 'QuotaExhaustedError';
  readonly code = 'quota_exhausted';
  readonly retryable = false;
  constructor(failure: RequestFailure) {
    super('the account has no quota left. Check its plan and billing.', failure);
  }
}

/** The endpoint does not accept the request as it is, or sends it to another place, where it must not go. */
export class ModelRequestInvalidError extends ModelRequestError {
  override readonly name = 'ModelRequestInvalidError';
  readonly code = 'model_request_invalid';
  readonly retryable = false;
  constructor(failure: RequestFailure) {
    const { status = 0 } = failure;
    const isRedirect = status >= 300 && status < 400;
    const problem = isRedirect
      ? 'the endpoint redirects, and keys and messages follow nowhere. Check baseUrl.'
      : 'the endpoint refused the request. See cause for its words.';
    super(problem, failure);
  }
}

/** The request and its answer do not fit the model's context window. */
export class ContextTooLongError extends ModelRequestError {
  override readonly name = 'ContextTooLongError';
  readonly code = 'context_too_long';
  readonly retryable = false;
  constructor(failure: RequestFailure) {
    super('the conversation is longer than the model accepts. Fold or shorten it.', failure);
  }
}

/** The key is wrong, or may not do this. */
export class AuthFailedError extends ModelRequestError {
  override readonly name = 'AuthFailedError';
  readonly code = 'auth_failed';
  readonly retryable = false;
  constructor(failure: RequestFailure) {
    super('the endpoint did not accept the key. Check it and its rights.', failure);
  }
}

/** There is no model of this name at the endpoint. */
export class ModelNotFoundError extends ModelRequestError {
  override readonly name = 'ModelNotFoundError';
  readonly code = 'model_not_found';
  readonly retryable = false;
  constructor(failure: RequestFailure) {
    super('the endpoint does not know this model or path. Check model and baseUrl.', failure);
  }
}

/** The endpoint is not reachable, overloaded or broken. */
export class ModelUnavailableError extends ModelRequestError {
  override readonly name = 'ModelUnavailableError';
  readonly code = 'model_unavailable';
  readonly retryable = true;
  readonly retryAfterMs: number | undefined;
  constructor(failure: RequestFailure & { readonly retryAfterMs?: number | undefined }) {
    super('the endpoint cannot answer now. Ask again later.', failure);
    this.retryAfterMs = failure.retryAfterMs;
  }
}

/** Nothing came for too long, or the whole answer took too long. */
export class ModelTimeoutError extends ModelRequestError {
  override readonly name = 'ModelTimeoutError';
  readonly code = 'model_timeout';
  readonly retryable = true;
  constructor(failure: RequestFailure & { readonly waitedMs?: number | undefined }) {
    super(
      `no answer${failure.waitedMs === undefined ? '' : ` within ${failure.waitedMs} ms`}. Ask again, or raise timeoutMs or idleTimeoutMs.`,
      failure,
    );
  }
}

/** The answer is not what the protocol says it should be. */
export class ModelReplyMalformedError extends ModelRequestError {
  override readonly name = 'ModelReplyMalformedError';
  readonly code = 'model_reply_malformed';
  readonly retryable = true;
  constructor(failure: RequestFailure) {
    super('the answer cannot be read. Ask again.', failure);
  }
}
