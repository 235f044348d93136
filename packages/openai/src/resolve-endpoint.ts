import { InvalidArgumentError } from '@x/core';
import { readEnvironment } from './environment.js';
import { ApiKeyMissingError } from './errors.js';
import { findProviderRow, isLoopback, type ProviderRow, providerRow } from './provider-rows.js';

export interface EndpointOptions {
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  /** The id of a row, when the host does not tell; else it is found by host and port. */
  readonly provider?: string | undefined;
}

/** Where requests go, and with which key. */
export interface ResolvedEndpoint {
  /** Without a slash at its end, and without its query. */
  readonly baseUrl: string;
  /** What stood behind a question mark, such as Azure's `api-version`; goes with each request. */
  readonly query: { readonly [name: string]: string };
  /** `undefined`: the endpoint gets no key. */
  readonly apiKey: string | undefined;
  readonly row: ProviderRow;
}

/** The names and the address of a client's own provider. */
export interface Home {
  readonly url: string;
  readonly keyName: string;
  readonly urlName: string;
}

/**
 * Decides where requests go and which key goes along. A key of the environment goes only to its own hosts, to the host
 * that the environment itself names as base URL, and to the own machine.
 *
 * @throws {@link ApiKeyMissingError} another host, or the own one, has no key. `invalid_argument`: the base URL is none.
 */
export function resolveEndpoint({ baseUrl, apiKey, provider }: EndpointOptions, home: Home): ResolvedEndpoint {
  const named = readEnvironment(home.urlName);
  const given = (baseUrl ?? named ?? home.url).trim();
  const url = parse(given);
  const { hostname, host, protocol, port } = url;
  const row = provider === undefined ? findProviderRow(given) : providerRow(provider);
  if (provider !== undefined && row.id !== provider) throw new InvalidArgumentError(`provider: there is no row "${provider}"`);
  const local = isLoopback(hostname);
  const isNamed = named !== undefined && sameOrigin(named, given);
  const isHome = sameOrigin(home.url, given);
  const ownRow = findProviderRow(given);
  const isSafe = protocol === 'https:' && port === '';
  const own = isSafe && ownRow.keyName !== undefined ? readEnvironment(ownRow.keyName) : undefined;
  const key = apiKey === undefined ? (own ?? (isHome || isNamed || local ? readEnvironment(home.keyName) : undefined)) : apiKey.trim();
  // Servers on the own machine mostly want none.
  if (key === undefined && !local) throw new ApiKeyMissingError({ host, keyName: ownRow.keyName ?? (isNamed ? home.keyName : undefined) });
  if (!CARRIED.test(key ?? '')) throw new InvalidArgumentError('apiKey holds characters that no header can carry; copy the key again');
  if (url.username !== '' || url.password !== '') throw new InvalidArgumentError('baseUrl holds a user name or password; pass headers');
  return {
    // Many copy the whole address of a call; what is below the base is added by the client.
    baseUrl: given
      .replace(/[?#].*$/s, '')
      .replace(/\/+$/, '')
      .replace(/\/(?:chat\/completions|messages)$/, ''),
    query: Object.fromEntries(url.searchParams),
    apiKey: key === '' ? undefined : key,
    row,
  };
}

/** What a key may hold; a line end at its end, as files have it, was taken away before. */
const CARRIED = /^[\x20-\x7e]*$/;

function parse(url: string): URL {
  try {
    const parsed = new URL(url);
    if (/^https?:$/.test(parsed.protocol)) return parsed;
  } catch {
    // Told below: the text itself may hold a key and is not repeated.
  }
  throw new InvalidArgumentError('baseUrl must be an absolute http or https URL, such as https://api.openai.com/v1');
}

function sameOrigin(first: string, second: string): boolean {
  return parse(first).origin === parse(second).origin;
}
