import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { BodyInvalidError } from '../errors.js';

/** Bytes of a request: a message of the longest kind, each of its characters escaped, has room. */
const MAX_BODY = 256 * 1024;

/** Refuses what is too long before all of it was read. */
export function limitBody(): MiddlewareHandler {
  return bodyLimit({
    maxSize: MAX_BODY,
    onError: (context) => context.json({ code: 'body_too_long', message: `Send at most ${MAX_BODY / 1024} kB.` }, 413),
  });
}

/** The JSON object that was sent; its fields are not checked. @throws {@link BodyInvalidError} */
export async function bodyOf<T extends object>(context: Context): Promise<{ readonly [K in keyof T]?: unknown }> {
  const body: unknown = await context.req.json().catch(() => undefined);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new BodyInvalidError('Send a JSON object.');
  return body;
}
