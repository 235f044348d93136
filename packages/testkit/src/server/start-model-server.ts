import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '@x/core';
import { answererOf, type ServedCall, type ServerScript } from './answerer.js';
import { anthropicDialect } from './anthropic-dialect.js';
import { type Body, isRecord } from './dialect.js';
import type { Fault, FaultScript } from './fault.js';
import { openaiDialect } from './openai-dialect.js';
import { sendJson, sendStream, sendWhole } from './send-answer.js';
import { faultyEvents } from './shape-answer.js';

/** A request as it came over the wire. */
export interface ServedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body's bytes, as text. */
  readonly raw: string;
  /** The body as JSON; `undefined` when it is none. */
  readonly body: Body | undefined;
  readonly fault: Fault | undefined;
  /** `open` while it is answered; `aborted` when the client went away first. */
  readonly outcome: 'open' | 'sent' | 'cut' | 'aborted';
}

export interface ModelServerOptions {
  readonly script: ServerScript;
  readonly faults?: FaultScript | undefined;
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** For `created` in answers. */
  readonly clock?: Clock | undefined;
  /** False keeps no `requests`, for runs of many thousand. Default true. */
  readonly record?: boolean | undefined;
}

/** A running server. */
export interface ModelServer {
  /** Such as `http://127.0.0.1:41234/v1`. */
  readonly baseUrl: string;
  /** Requests for answers, oldest first. */
  readonly requests: readonly ServedRequest[];
  /** Breaks open connections and stops listening. */
  close(): Promise<void>;
}

/**
 * Starts a server on 127.0.0.1 that speaks OpenAI's Chat Completions (`/chat/completions`) and Anthropic's Messages
 * (`/messages`), with server-sent events or one JSON object, as the body asks.
 *
 * @remarks A list gives its answers in order; a request whose fault kept the answer from arriving does not use one up.
 * An error that a script throws before anything was sent becomes that status (`{ status, message }`) or 500;
 * later it breaks the connection.
 */
export async function startModelServer({
  script,
  faults = [],
  port = 0,
  clock = systemClock,
  record = true,
}: ModelServerOptions): Promise<ModelServer> {
  const requests: ServedRequest[] = [];
  const answerOf = answererOf(script);
  let asked = 0;
  const server = createServer((incoming, response) => {
    void serve(incoming, response).catch(() => response.destroy());
  });

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (incoming.url ?? '/').split('?', 1)[0] ?? '/';
    const gone = new AbortController();
    response.on('close', () => gone.abort(new Error('the client went away')));
    const raw = await readBody(incoming);
    const dialect = path.endsWith('/chat/completions') ? openaiDialect : path.endsWith('/messages') ? anthropicDialect : undefined;
    if (incoming.method === 'GET' && path.endsWith('/models'))
      return sendJson(response, 200, { object: 'list', data: [{ id: 'testkit', object: 'model' }] });
    if (!dialect || incoming.method !== 'POST') {
      const known = 'POST /v1/chat/completions or /v1/messages';
      return sendJson(response, 404, openaiDialect.error({ status: 404, code: 'not_found', message: `No such path. Use ${known}.` }));
    }
    const index = asked;
    asked += 1;
    const fault = typeof faults === 'function' ? faults(index) : faults[index];
    const body = parse(raw);
    const entry = {
      method: incoming.method,
      path,
      headers: incoming.headers,
      raw,
      body,
      fault,
      outcome: 'open' as ServedRequest['outcome'],
    };
    if (record) requests.push(entry);
    response.on('close', () => {
      if (entry.outcome === 'open') entry.outcome = response.writableFinished ? 'sent' : 'aborted';
    });
    if (body === undefined) {
      return sendJson(response, 400, dialect.error({ status: 400, code: 'invalid_json', message: 'The body is not a JSON object.' }));
    }
    if (fault?.kind === 'status') {
      const { status, retryAfter, code = `status_${status}`, message = 'The server was told to fail.' } = fault;
      if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
      return sendJson(response, status, dialect.error({ status, code, message }));
    }
    const request = dialect.readRequest(body);
    const call: ServedCall = { index, path, headers: incoming.headers, request, signal: gone.signal };
    try {
      const events = faultyEvents(answerOf(body, call, fault), fault);
      const options = {
        id: String(index + 1),
        createdS: Math.floor(clock.now() / 1000),
        model: String(body['model'] ?? 'unknown'),
        includeUsage: dialect.wantsUsage(body),
        finish: fault?.kind === 'finish' ? fault.finish : undefined,
        noIds: fault?.kind === 'no-ids',
        noDone: fault?.kind === 'no-done',
      };
      const send = dialect.isStream(body) ? sendStream : sendWhole;
      if ((await send(response, dialect, events, options, fault)) === 'cut') entry.outcome = 'cut';
    } catch (error) {
      if (gone.signal.aborted) return;
      if (response.headersSent) {
        entry.outcome = 'cut';
        response.destroy();
      } else {
        const { status, message } = statusOf(error);
        sendJson(response, status, dialect.error({ status, code: 'script_error', message }));
      }
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: chosen } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${chosen}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parse(raw: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(raw);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function statusOf(error: unknown): { readonly status: number; readonly message: string } {
  const { status, message } = (isRecord(error) || error instanceof Error ? error : {}) as { status?: unknown; message?: unknown };
  return { status: typeof status === 'number' ? status : 500, message: typeof message === 'string' ? message : 'The script failed.' };
}
