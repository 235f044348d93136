import { type AgentosError, isAgentosError, ownValue } from '@x/core';
import {
  AuthFailedError,
  ContextTooLongError,
  ModelNotFoundError,
  ModelReplyMalformedError,
  ModelRequestInvalidError,
  ModelTimeoutError,
  ModelUnavailableError,
  QuotaExhaustedError,
  RateLimitedError,
  type RequestFailure,
} from './errors.js';
import { subjectOf, waitIn } from './failure-words.js';
import { type Fields, isFields } from './read-answer.js';

/**
 * The typed error for what a client library threw.
 *
 * @param nowMs - For a `Retry-After` that is a date.
 */
export function failureOf(error: unknown, where: string, nowMs: number): AgentosError {
  if (isAgentosError(error)) return error;
  const thrown = isObject(error) ? error : {};
  const status = typeof thrown['status'] === 'number' ? thrown['status'] : undefined;
  const details = detailsOf(thrown['error']);
  const failure: RequestFailure = { where, status, reason: details.reason, cause: error };
  const retryAfterMs = retryAfterOf(thrown['headers'], nowMs) ?? details.waitMs;
  if (status === undefined) return new ModelUnavailableError({ ...failure, reason: codeOf(error) });
  return byStatus(status, details, failure, retryAfterMs);
}

function byStatus(status: number, details: Details, failure: RequestFailure, retryAfterMs: number | undefined): AgentosError {
  // What the model wrote is no call that the endpoint can read: nothing is wrong with the request.
  if (details.reason === 'tool_use_failed') return new ModelReplyMalformedError(failure);
  const subject = subjectOf(status, wordsIn(details), details.waitMs);
  if (subject === 'too_long' || status === 413) return new ContextTooLongError(failure);
  if (subject === 'no_quota' || status === 402) return new QuotaExhaustedError(failure);
  if (subject === 'not_allowed') return new ModelRequestInvalidError(failure);
  if (subject === 'no_access' || status === 401 || status === 403) return new AuthFailedError(failure);
  if (subject === 'no_model' || status === 404) return new ModelNotFoundError(failure);
  if (status === 429) return new RateLimitedError({ ...failure, retryAfterMs });
  if (status === 408) return new ModelTimeoutError(failure);
  if (status === 409 || status === 425 || status >= 500) return new ModelUnavailableError({ ...failure, retryAfterMs });
  return new ModelRequestInvalidError(failure);
}

/**
 * The status that belongs to a name, for errors inside an answer, which have none.
 *
 * @remarks Source: the list of errors in the API references of Anthropic and OpenAI.
 */
const STATUS_OF_NAME: { readonly [name: string]: number } = {
  invalid_request_error: 400,
  tool_use_failed: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  api_error: 500,
  timeout_error: 408,
  overloaded_error: 529,
};

/** The typed error for an error object inside an answer that began with HTTP 200. */
export function errorInAnswer(where: string, error: unknown): AgentosError {
  const details = detailsOf(error);
  const { reason = '', status, waitMs } = details;
  const failure: RequestFailure = { where, reason: details.reason };
  if (status !== undefined && status >= 400) return byStatus(status, details, { ...failure, status }, waitMs);
  const named = ownValue(STATUS_OF_NAME, reason);
  if (named !== undefined) return byStatus(named, details, failure, waitMs);
  const words = wordsIn(details);
  if (/rate[_ ]?limit|too many requests|throttl|please wait/i.test(words))
    return new RateLimitedError({ ...failure, retryAfterMs: waitMs });
  if (subjectOf(400, words) !== undefined) return byStatus(400, details, failure, waitMs);
  if (/invalid_request|not_supported|unsupported/i.test(reason)) return new ModelRequestInvalidError(failure);
  return new ModelUnavailableError(failure);
}

/** True for a request that the endpoint read and refused; some say so with 422. */
export function isRefusedRequest(error: unknown): boolean {
  return isObject(error) && (error['status'] === 400 || error['status'] === 422);
}

/** The endpoint's words on what was wrong with a request, for telling a field that it does not take. */
export function wordsOf(error: unknown): string {
  const body = isObject(error) ? error['error'] : undefined;
  const { param } = fieldsOf(body);
  return `${typeof param === 'string' ? param : ''} ${wordsIn(detailsOf(body))}`;
}

interface Details {
  /** A name such as `rate_limit_error`; never free text. */
  readonly reason: string | undefined;
  readonly message: string;
  readonly status: number | undefined;
  /** Milliseconds that the body asks to wait. */
  readonly waitMs: number | undefined;
}

function wordsIn({ reason = '', message }: Details): string {
  return `${reason} ${message}`;
}

// Gemini sends a list of one error; some wrap an error into another.
function fieldsOf(body: unknown): Fields {
  const one: unknown = Array.isArray(body) ? body[0] : body;
  if (!isFields(one)) return {};
  const { error } = one;
  return isFields(error) ? error : typeof error === 'string' ? { ...one, message: error } : one;
}

function detailsOf(body: unknown): Details {
  if (typeof body === 'string') return { reason: undefined, message: body, status: undefined, waitMs: waitIn(body) };
  const fields = fieldsOf(body);
  const name = [fields['code'], fields['type'], fields['status']].find(
    (value): value is string => typeof value === 'string' && /^[\w.-]{1,60}$/.test(value),
  );
  const status = [fields['status'], fields['code'], fields['status_code']]
    .map((value) => (typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value))
    .find((value): value is number => typeof value === 'number' && value >= 100 && value < 600);
  const message = messageIn(fields);
  return { reason: name, message, status, waitMs: retryDelayIn(fields) ?? waitIn(message) };
}

/** Enough for the words that tell what was wrong. */
const MAX_RAW_CHARS = 4_000;

// FastAPI and what is built on it tell under `detail`, as text or as a list of what is wrong with which field.
function messageIn({ message, msg, detail, details, metadata }: Fields): string {
  if (isFields(message)) return messageIn(message);
  const told = [message, msg, detail].find((value) => typeof value === 'string' && value !== '');
  // OpenRouter keeps the words of whom it asked apart.
  const raw = isFields(metadata) && typeof metadata['raw'] === 'string' ? ` ${metadata['raw'].slice(0, MAX_RAW_CHARS)}` : '';
  if (typeof told === 'string') return `${told}${raw}${quotasIn(details)}`;
  const faults = [detail, message].find((value): value is unknown[] => Array.isArray(value)) ?? [];
  // What was sent stands there too, and is not read: it may hold what the user said.
  return faults.flatMap((fault) => (isFields(fault) ? [`${String(fault['loc'] ?? '')} ${String(fault['msg'] ?? '')}`] : [])).join('; ');
}

/** The names of the quotas that are used up, as Google lists them beside its words. */
function quotasIn(details: unknown): string {
  const ids = listIn(details).flatMap(({ violations }) => listIn(violations).map(({ quotaId }) => quotaId));
  return ids.map((id) => (typeof id === 'string' ? ` ${id}` : '')).join('');
}

/** Milliseconds that Google asks to wait, in a field of its own: it sends no `Retry-After`. */
function retryDelayIn({ details }: Fields): number | undefined {
  for (const { retryDelay } of listIn(details)) {
    const [, seconds] = typeof retryDelay === 'string' ? (/^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(retryDelay) ?? []) : [];
    if (seconds !== undefined) return Math.ceil(Number(seconds) * 1000);
  }
  return undefined;
}

function listIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** Milliseconds that a `Retry-After` asks to wait: seconds, a date, or OpenAI's header in milliseconds. */
export function retryAfterOf(headers: unknown, nowMs: number): number | undefined {
  const get =
    isObject(headers) && typeof headers['get'] === 'function' ? (name: string) => (headers as unknown as Headers).get(name) : () => null;
  const inMs = Number.parseFloat(get('retry-after-ms') ?? '');
  if (inMs >= 0) return inMs;
  const given = get('retry-after');
  if (given === null) return undefined;
  if (/^\s*\d+(?:\.\d+)?\s*$/.test(given)) return Number.parseFloat(given) * 1000;
  const dateMs = Date.parse(given);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}

// The network's own code, such as ECONNREFUSED, stands some causes deep.
function codeOf(error: unknown): string | undefined {
  for (let at = error, depth = 0; isObject(at) && depth < 5; at = at['cause'], depth += 1) {
    if (typeof at['code'] === 'string' && /^[\w.-]{1,60}$/.test(at['code'])) return at['code'];
  }
  return undefined;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
