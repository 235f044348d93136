import { type Capabilities, type Clock, InvalidArgumentError, type Random, systemClock } from '@x/core';
import type { Patience } from './ask-endpoint.js';
import { directFetch } from './direct-fetch.js';
import { keepRefusal } from './keep-refusal.js';
import type { ProviderRow, Wire } from './provider-rows.js';

/** What is sent over HTTP; the global `fetch` takes it. */
export type Fetch = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: { [name: string]: string };
    readonly body: string;
    readonly signal: AbortSignal;
    readonly redirect: 'manual';
  },
) => Promise<unknown>;

export interface ModelOptions {
  /** The model's name at the endpoint. */
  readonly model: string;
  /** Default: the provider's base URL in the environment, else its own. */
  readonly baseUrl?: string | undefined;
  /** Default: the key of the environment that belongs to the host. `''` sends none. */
  readonly apiKey?: string | undefined;
  /** Further headers; they win. */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** Further fields of the request; they win. */
  readonly extraBody?: { readonly [field: string]: unknown } | undefined;
  /** Tries after the first, while nothing of the answer has come. Default 2. */
  readonly retries?: number | undefined;
  /** Milliseconds for one try as a whole; default 600,000. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds without a byte; default 120,000. */
  readonly idleTimeoutMs?: number | undefined;
  /** Milliseconds; a longer `Retry-After` is an error at once. Default 60,000. */
  readonly maxRetryAfterMs?: number | undefined;
  /** The id of a row of `PROVIDER_ROWS`; default: found by host, and by port on the own machine. */
  readonly provider?: string | undefined;
  /** Fields that differ from the row's. */
  readonly capabilities?: Partial<Capabilities> | undefined;
  /** Fields that differ from the row's. */
  readonly wire?: Partial<Wire> | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  /** Default: the global one. */
  readonly fetch?: Fetch | undefined;
  /** True lets the client library run in a browser, where anybody can read the key. Default false. */
  readonly allowBrowser?: boolean | undefined;
}

/** The row with what the host knows better. */
export function adjustedRow(row: ProviderRow, { capabilities, wire }: Pick<ModelOptions, 'capabilities' | 'wire'>): ProviderRow {
  return { ...row, capabilities: { ...row.capabilities, ...defined(capabilities) }, wire: { ...row.wire, ...defined(wire) } };
}

/** @throws `invalid_argument` for a number out of range. */
export function patienceOf(options: ModelOptions): Patience {
  const {
    retries = 2,
    timeoutMs = 600_000,
    idleTimeoutMs = 120_000,
    maxRetryAfterMs = 60_000,
    clock = systemClock,
    random = Math.random,
  } = options;
  if (!(Number.isInteger(retries) && retries >= 0)) throw new InvalidArgumentError(`retries must be a whole number from 0, got ${retries}`);
  for (const [name, ms] of Object.entries({ timeoutMs, idleTimeoutMs })) {
    if (!(ms > 0)) throw new InvalidArgumentError(`${name} must be above 0, got ${ms}`);
  }
  if (!(maxRetryAfterMs >= 0)) throw new InvalidArgumentError(`maxRetryAfterMs must be 0 or more, got ${maxRetryAfterMs}`);
  return { retries, timeoutMs, idleTimeoutMs, maxRetryAfterMs, clock, random };
}

/** @throws `invalid_argument` for a name that is blank. */
export function checkModel(model: string): string {
  if (typeof model !== 'string' || model.trim() === '') throw new InvalidArgumentError('model must be the name of a model');
  return model;
}

/**
 * A `fetch` that sends these headers and no others. Names count in any case. The client libraries take further ones from the environment, keys
 * among them, whatever the host is. Redirects are not followed: key and text were meant for the host that was chosen.
 *
 * @param keep - Names of headers of the library's own that are needed, lower case.
 * @throws `invalid_argument` a header that cannot be sent.
 */
export function fetchWithHeaders(
  headers: { readonly [name: string]: string },
  fetchUsed: Fetch = directFetch,
  keep: readonly string[] = [],
): (url: unknown, init?: LibraryInit) => Promise<never> {
  const own = carriedHeaders(headers);
  return async (url, init = {}) => {
    const given = keep.length === 0 ? undefined : new Headers(init.headers as ConstructorParameters<typeof Headers>[0]);
    const kept = keep.flatMap((name) => (given?.has(name) ? [[name, given.get(name) ?? ''] as const] : []));
    const response = await fetchUsed(String(url), {
      method: init.method ?? 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
        ...Object.fromEntries(kept),
        ...own,
      },
      body: String(init.body ?? ''),
      signal: init.signal ?? new AbortController().signal,
      redirect: 'manual',
    });
    return (await keepRefusal(plainRedirect(response))) as never;
  };
}

// Names in lower case, since one header under two spellings would be sent twice; the later one wins.
function carriedHeaders(headers: { readonly [name: string]: string | undefined }): { readonly [name: string]: string } {
  const carried: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    try {
      new Headers([[name, value]]);
    } catch {
      // Told below: the engine's own message would repeat the value.
      throw new InvalidArgumentError(`headers: ${/^[\w-]+$/.test(name) ? name : 'a name'} holds characters that no header can carry`);
    }
    carried[name.toLowerCase()] = value.trim();
  }
  return carried;
}

// A browser hides the status of a redirect that it does not follow; the libraries need one.
function plainRedirect(response: unknown): unknown {
  const { type } = (response ?? {}) as { readonly type?: unknown };
  return type === 'opaqueredirect' ? new Response(null, { status: 307 }) : response;
}

interface LibraryInit {
  readonly method?: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null;
  readonly headers?: unknown;
}

function defined<T extends object>(fields: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== undefined)) as Partial<T>;
}
