import { type AgentosError, isAgentosError } from '@x/core';
import {
  AuthFailedError,
  ContextTooLongError,
  ModelNotFoundError,
  ModelRequestInvalidError,
  ModelTimeoutError,
  ModelUnavailableError,
  QuotaExhaustedError,
  RateLimitedError,
  type RequestFailure,
} from './errors.js';
import { type Fields, isFields } from './read-answer.js';

const TOO_LONG =
  /context[_ ]?(?:length|window|size)|maximum context|prompt (?:is )?too long|too many tokens|input (?:is )?too long|exceeds? the (?:available )?context|request_too_large|string_above_max_length|num_ctx/i;
const NO_QUOTA = /insufficient[_ ](?:quota|balance|credits?)|billing|exceeded your current quota|credit balance/i;

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
  const words = `${details.reason ?? ''} ${details.message}`;
  const retryAfterMs = retryAfterOf(thrown['headers'], nowMs);
  if (status === undefined) return new ModelUnavailableError({ ...failure, reason: codeOf(error) });
  return byStatus(status, words, failure, retryAfterMs);
}

function byStatus(status: number, words: string, failure: RequestFailure, retryAfterMs: number | undefined): AgentosError {
  if (status === 429) return NO_QUOTA.test(words) ? new QuotaExhaustedError(failure) : new RateLimitedError({ ...failure, retryAfterMs });
  if (status === 401 || status === 403) return new AuthFailedError(failure);
  if (status === 402) return new QuotaExhaustedError(failure);
  if (status === 404) return new ModelNotFoundError(failure);
  if (status === 408) return new ModelTimeoutError(failure);
  if (status === 413 || (status < 500 && TOO_LONG.test(words))) return new ContextTooLongError(failure);
  if (status === 409 || status === 425 || status >= 500) return new ModelUnavailableError({ ...failure, retryAfterMs });
  return new ModelRequestInvalidError(failure);
}

/** The typed error for an error object inside an answer that began with HTTP 200. */
export function errorInAnswer(where: string, error: unknown): AgentosError {
  const { reason, message, status } = detailsOf(error);
  const words = `${reason ?? ''} ${message}`;
  const failure: RequestFailure = { where, reason };
  if (status !== undefined && status >= 400) return byStatus(status, words, { ...failure, status }, undefined);
  if (/rate[_ ]?limit|too many requests/i.test(words)) return new RateLimitedError(failure);
  if (NO_QUOTA.test(words)) return new QuotaExhaustedError(failure);
  if (TOO_LONG.test(words)) return new ContextTooLongError(failure);
  if (/invalid_request|not_supported|unsupported/i.test(reason ?? '')) return new ModelRequestInvalidError(failure);
  return new ModelUnavailableError(failure);
}

/** True for a request that the endpoint read and refused; some say so with 422. */
export function isRefusedRequest(error: unknown): boolean {
  return isObject(error) && (error['status'] === 400 || error['status'] === 422);
}

/** The endpoint's words on what was wrong with a request, for telling a field that it does not take. */
export function wordsOf(error: unknown): string {
  const body = isObject(error) ? error['error'] : undefined;
  const details = detailsOf(body);
  const inner = isFields(body) && isFields(body['error']) ? body['error'] : body;
  const param = isFields(inner) && typeof inner['param'] === 'string' ? inner['param'] : '';
  return `${details.reason ?? ''} ${param} ${details.message}`;
}

interface Details {
  /** A name such as `rate_limit_error`; never free text. */
  readonly reason: string | undefined;
  readonly message: string;
  readonly status: number | undefined;
}

function detailsOf(body: unknown): Details {
  if (typeof body === 'string') return { reason: undefined, message: body, status: undefined };
  const fields: Fields = isFields(body) ? (isFields(body['error']) ? body['error'] : body) : {};
  const name = [fields['code'], fields['type'], fields['status']].find(
    (value): value is string => typeof value === 'string' && /^[\w.-]{1,60}$/.test(value),
  );
  const status = [fields['status'], fields['code'], fields['status_code']]
    .map((value) => (typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value))
    .find((value): value is number => typeof value === 'number' && value >= 100 && value < 600);
  return { reason: name, message: messageIn(fields), status };
}

// FastAPI and what is built on it tell under `detail`, as text or as a list of what is wrong with which field.
function messageIn({ message, msg, detail }: Fields): string {
  const told = [message, msg, detail].find((value) => typeof value === 'string' && value !== '');
  if (typeof told === 'string') return told;
  const faults = [detail, message].find((value): value is unknown[] => Array.isArray(value)) ?? [];
  // What was sent stands there too, and is not read: it may hold what the user said.
  return faults.flatMap((fault) => (isFields(fault) ? [`${String(fault['loc'] ?? '')} ${String(fault['msg'] ?? '')}`] : [])).join('; ');
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
