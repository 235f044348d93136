import { type Arriving, arrivingBody } from './arriving-body.js';
import type { Fetch } from './client-options.js';
import { type BodyReader, decodedBody } from './decode-body.js';

/** The global `fetch`, or what it stands on where that is known: the same connections, without its layers of streams around them. */
export const directFetch: Fetch = (url, init) => {
  const dispatcher = ownDispatcher();
  const { protocol, username, password } = new URL(url);
  const isPlain = (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
  return dispatcher && isPlain ? send(dispatcher, url, init) : globalThis.fetch(url, init);
};

/** What is read of an answer; `Response` fits, too. */
export interface DirectAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly body: { getReader(): BodyReader };
  text(): Promise<string>;
}

/** Node's `fetch` sends through this object, and whoever sets a proxy, certificates or a mock for it sets another one here. */
interface Dispatcher {
  dispatch(request: DispatchRequest, handler: DispatchHandler): unknown;
}

interface DispatchRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
  /** Milliseconds; 0 is none. */
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
  /** Of a dispatcher that would follow redirects. */
  readonly maxRedirections: 0;
}

/** Name and value by turns; a dispatcher with layers hands the values of a repeated name on as a list. */
type RawHeaders = readonly (Uint8Array | readonly Uint8Array[])[];

interface DispatchHandler {
  onConnect(abort: (reason: unknown) => void): void;
  onHeaders(status: number, raw: RawHeaders, resume: () => void): boolean;
  onData(chunk: Uint8Array): boolean;
  onComplete(): void;
  onError(error: unknown): void;
}

function ownDispatcher(): Dispatcher | undefined {
  if (!isNodeFetch(globalThis.fetch)) return undefined;
  const found: unknown = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'));
  const isOne = typeof found === 'object' && found !== null && typeof (found as Partial<Dispatcher>).dispatch === 'function';
  return isOne ? (found as Dispatcher) : undefined;
}

// A `fetch` that a host or a test has put there is the one to use, whatever it is made of.
let looked: { readonly at: unknown; readonly isNode: boolean } | undefined;
function isNodeFetch(found: unknown): boolean {
  if (looked?.at !== found) looked = { at: found, isNode: typeof found === 'function' && String(found).includes('internal/deps/undici') };
  return looked?.isNode ?? false;
}

function send(dispatcher: Dispatcher, url: string, init: Parameters<Fetch>[1]): Promise<unknown> {
  const { origin, pathname, search } = new URL(url);
  const { signal } = init;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    let abort: ((reason: unknown) => void) | undefined;
    let body: Arriving | undefined;
    const onAbort = () => {
      reject(signal.reason);
      abort?.(signal.reason);
    };
    const leave = () => signal.removeEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort);
    const request: DispatchRequest = {
      origin,
      path: pathname + search,
      method: init.method,
      // Compression would hold small events back.
      headers: { 'user-agent': 'node', 'accept-encoding': 'identity', ...init.headers },
      body: init.body,
      // How long to wait is told by the host and watched by the caller.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxRedirections: 0,
    };
    const handler: DispatchHandler = {
      onConnect(stop) {
        abort = stop;
        if (signal.aborted) stop(signal.reason);
      },
      onHeaders(status, raw, resume) {
        if (status < 200) return true;
        body = arrivingBody({ resume, stop: (reason) => abort?.(reason) });
        resolve(answerOf(url, status, headersOf(raw), body));
        return true;
      },
      onData: (chunk) => body?.push(chunk) ?? true,
      onComplete() {
        leave();
        body?.end();
      },
      onError(error) {
        leave();
        body?.fail(error);
        // An engine that asks for other handlers; nothing was sent.
        if (abort === undefined && codeOf(error) === 'UND_ERR_INVALID_ARG') resolve(globalThis.fetch(url, init));
        else reject(error);
      },
    };
    try {
      dispatcher.dispatch(request, handler);
    } catch (error) {
      handler.onError(error);
    }
  });
}

function answerOf(url: string, status: number, headers: Headers, arriving: Arriving): DirectAnswer {
  const codings = headers.get('content-encoding');
  const reader = codings === null ? arriving : decodedBody(arriving, codings);
  return { ok: status >= 200 && status < 300, status, url, headers, body: { getReader: () => reader }, text: () => textOf(reader) };
}

async function textOf(reader: BodyReader): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for (let next = await reader.read(); !next.done; next = await reader.read()) text += decoder.decode(next.value, { stream: true });
  return text + decoder.decode();
}

function headersOf(raw: RawHeaders): Headers {
  const decoder = new TextDecoder('latin1');
  const headers = new Headers();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = decoder.decode(raw[index] as Uint8Array);
    for (const value of [raw[index + 1]!].flat() as readonly Uint8Array[]) headers.append(name, decoder.decode(value));
  }
  return headers;
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? (error as { readonly code?: unknown }).code : undefined;
}
