/** What is read of a refusal; `Response` fits. */
interface Refusal {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Headers;
  text(): Promise<string>;
}

/** Enough for the words that tell what was wrong. */
const MAX_CHARS = 4_000;

/**
 * The same refusal with its words under `error`. The client libraries keep that field of a body and drop all others, such
 * as FastAPI's `detail`, a bare `message`, or plain text.
 */
export async function keepRefusal(response: unknown): Promise<unknown> {
  if (!isRefusal(response)) return response;
  const { status } = response;
  const text = await response.text();
  const headers = new Headers(response.headers);
  // They tell of the bytes that were received.
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  headers.set('content-type', 'application/json');
  return new Response(JSON.stringify({ error: errorIn(text) }), { status, headers });
}

function errorIn(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return (body as { error?: unknown }).error ?? body;
  } catch {
    // Not JSON: the words as they are.
  }
  return { message: text.slice(0, MAX_CHARS) };
}

function isRefusal(response: unknown): response is Refusal {
  const { ok, status, text } = (typeof response === 'object' && response !== null ? response : {}) as Partial<Refusal>;
  return ok === false && typeof status === 'number' && status >= 400 && status < 600 && typeof text === 'function';
}
