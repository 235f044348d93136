import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { generate } from '@x/core';
import fc from 'fast-check';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { request } from './answer-from.test-helper.js';
import { arrivingBody } from './arriving-body.js';
import type { Fetch } from './client-options.js';
import { type DirectAnswer, directFetch } from './direct-fetch.js';
import { openai } from './openai.js';

const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
const servers: Server[] = [];
// The engine sets its dispatcher when it is first used.
beforeAll(() => void new Headers());
afterEach(() => {
  vi.unstubAllGlobals();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(answer: RequestListener): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1?a=b`, server };
}

const sent = (signal = new AbortController().signal): Parameters<Fetch>[1] => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"text":"é\ud800"}',
  signal,
  redirect: 'manual',
});
const get = async (url: string, init = sent()) => (await directFetch(url, init)) as DirectAnswer;

test('sends and reads what the global fetch does, and leaves its connection to the next call', async () => {
  const seen: unknown[] = [];
  let connections = 0;
  const { url, server } = await serve((incoming, response) => {
    let body = '';
    incoming.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    incoming.on('end', () => {
      const { 'content-type': type, 'user-agent': agent, 'content-length': length } = incoming.headers;
      seen.push({ method: incoming.method, url: incoming.url, body, type, agent, length });
      response.writeHead(200, { 'x-one': ['a', 'b'], 'retry-after': '3' }).end('{"ok":1}');
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  for (let call = 0; call < 5; call += 1) {
    const answer = await get(url);
    expect([answer.ok, answer.status, answer.url, answer.headers.get('X-One'), answer.headers.get('retry-after')]).toEqual([
      true,
      200,
      url,
      'a, b',
      '3',
    ]);
    expect(await answer.text()).toBe('{"ok":1}');
  }
  // As with fetch: the engine frees a connection a little after its answer has ended.
  expect(connections).toBeLessThanOrEqual(2);
  const other = await fetch(url, sent());
  expect(await other.text()).toBe('{"ok":1}');
  expect(seen[0]).toMatchObject({ method: 'POST', url: '/v1?a=b', body: '{"text":"é\ufffd"}', type: 'application/json', agent: 'node' });
  expect(seen.slice(1)).toEqual(Array.from({ length: 5 }, () => seen[0]));
});

test('goes through the dispatcher that the host has set, such as a proxy, and waits as long as the caller does', async () => {
  const { url } = await serve((_incoming, response) => response.end('straight'));
  const real = Reflect.get(globalThis, DISPATCHER) as { dispatch(...args: readonly unknown[]): unknown };
  const dispatch = vi.fn((...args: readonly unknown[]) => real.dispatch(...args));
  Reflect.set(globalThis, DISPATCHER, { dispatch });
  try {
    expect(await (await get(url)).text()).toBe('straight');
  } finally {
    Reflect.set(globalThis, DISPATCHER, real);
  }
  expect(dispatch).toHaveBeenCalledTimes(1);
  expect(dispatch.mock.calls[0]?.[0]).toMatchObject({ path: '/v1?a=b', headersTimeout: 0, bodyTimeout: 0 });
});

test('a fetch that somebody has put in place is used, with everything it is given', async () => {
  const { url } = await serve((_incoming, response) => response.end('straight'));
  const stub = vi.fn(async () => new Response('stubbed'));
  vi.stubGlobal('fetch', stub);
  const init = sent();
  expect(await (await get(url, init)).text()).toBe('stubbed');
  expect(stub).toHaveBeenCalledWith(url, init);
});

test.each(['tells', 'throws'])('an engine that %s that it wants other handlers is asked through fetch', async (how) => {
  const { url } = await serve((_incoming, response) => response.end('by fetch'));
  const real = Reflect.get(globalThis, DISPATCHER) as { dispatch(...args: readonly unknown[]): unknown };
  let calls = 0;
  const dispatch = (options: unknown, handler: { onError(error: unknown): void }) => {
    calls += 1;
    if (calls > 1) return real.dispatch(options, handler);
    const refusal = Object.assign(new Error('invalid onRequestStart method'), { code: 'UND_ERR_INVALID_ARG' });
    if (how === 'throws') throw refusal;
    return handler.onError(refusal);
  };
  Reflect.set(globalThis, DISPATCHER, { dispatch });
  try {
    expect(await (await get(url)).text()).toBe('by fetch');
    expect(calls).toBe(2);
  } finally {
    Reflect.set(globalThis, DISPATCHER, real);
  }
});

test('what only fetch can tell about an address, fetch tells', async () => {
  await expect(get('http://user:secret@127.0.0.1:1/')).rejects.toThrow(/credentials/);
  await expect(get('file:///etc/passwd')).rejects.toThrow();
});

test('a signal ends a call before its head, within its body and before it begins', async () => {
  const closed: string[] = [];
  const { url } = await serve((incoming, response) => {
    const name = String(incoming.headers['x-name']);
    response.on('close', () => closed.push(name));
    if (name === 'body') response.write('first');
  });
  const stopped = (name: string) => vi.waitFor(() => expect(closed).toContain(name));
  const named = (name: string, signal: AbortSignal) => ({ ...sent(signal), headers: { 'x-name': name } });

  const head = new AbortController();
  const asked = get(url, named('head', head.signal));
  head.abort(new Error('no longer wanted'));
  await expect(asked).rejects.toThrow('no longer wanted');

  const late = new AbortController();
  const waiting = get(url, named('late', late.signal));
  setImmediate(() => setImmediate(() => late.abort(new Error('too late'))));
  await expect(waiting).rejects.toThrow('too late');

  const body = new AbortController();
  const reader = (await get(url, named('body', body.signal))).body.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('first');
  const rest = reader.read();
  body.abort(new Error('enough'));
  await expect(rest).rejects.toThrow('enough');
  await stopped('body');

  await expect(get(url, named('never', AbortSignal.abort(new Error('over'))))).rejects.toThrow('over');
  expect(closed).not.toContain('never');
});

test('a reader that leaves ends the connection; one that has read all does not', async () => {
  let ended = 0;
  const { url, server } = await serve((_incoming, response) => {
    response.on('close', () => {
      if (!response.writableEnded) ended += 1;
    });
    response.write('first');
  });
  const reader = (await get(url)).body.getReader();
  await reader.read();
  await reader.cancel();
  expect(await reader.read()).toEqual({ done: true });
  await vi.waitFor(() => expect(ended).toBe(1));
  server.closeAllConnections();
});

test('a connection that breaks is an error with its code, before the head and within the body', async () => {
  const { url } = await serve((incoming, response) => {
    if (incoming.headers['x-name'] === 'body') response.write('first', () => response.destroy());
    else incoming.socket.destroy();
  });
  await expect(get(url)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
  const reader = (await get(url, { ...sent(), headers: { 'x-name': 'body' } })).body.getReader();
  await expect(reader.read().then(() => reader.read())).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
  await expect(get('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a long body comes whole to a slow reader, and its sender pauses meanwhile', async () => {
  const size = 8 * 1_048_576;
  let sentBytes = 0;
  const { url } = await serve((_incoming, response) => {
    const piece = Buffer.alloc(262_144, 7);
    const more = () => {
      while (sentBytes < size) {
        sentBytes += piece.length;
        if (!response.write(piece)) return response.once('drain', more);
      }
      return response.end();
    };
    more();
  });
  const reader = (await get(url)).body.getReader();
  await reader.read();
  for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  const early = sentBytes;
  let received = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) received += next.value?.length ?? 0;
  expect(early).toBeLessThan(size);
  expect(received).toBeGreaterThan(size - 1_048_576);
});

const said = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Yes.' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;
const forms: readonly (readonly [string, string, Buffer])[] = [
  ['gzip', 'gzip', gzipSync(said)],
  ['gzip under its old name', ' X-GZip', gzipSync(said)],
  ['gzip twice', 'gzip, gzip', gzipSync(gzipSync(said))],
  ['gzip without its end', 'gzip', gzipSync(said).subarray(0, -8)],
  ['brotli', 'br', brotliCompressSync(said)],
  ['deflate', 'deflate', deflateSync(said)],
  ['deflate without its header', 'deflate', deflateRawSync(said)],
  ['nothing', 'identity', Buffer.from(said)],
  ['something unknown, which it is not', 'aws-chunked', Buffer.from(said)],
];

test.each(forms)('an answer packed unasked in %s is read', async (_what, encoding, bytes) => {
  const { url } = await serve((incoming, response) => {
    expect(incoming.headers['accept-encoding']).toBe('identity');
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': encoding });
    const middle = Math.floor(bytes.length / 2);
    response.write(bytes.subarray(0, middle), () => response.end(bytes.subarray(middle)));
  });
  const model = openai({ model: 'm', baseUrl: url.replace('?a=b', ''), apiKey: '', retries: 0 });
  expect((await generate(model, request)).text).toBe('Yes.');
});

test.each([
  ['without a body', Buffer.alloc(0)],
  ['that is packed', brotliCompressSync('{"error":{"message":"no"}}')],
])('a refusal %s keeps its status', async (_what, bytes) => {
  let asked = 0;
  const { url } = await serve((_incoming, response) => {
    asked += 1;
    response.writeHead(401, { 'content-encoding': 'br' }).end(bytes);
  });
  const model = openai({ model: 'm', baseUrl: url.replace('?a=b', ''), apiKey: '', retries: 2 });
  await expect(generate(model, request)).rejects.toMatchObject({ code: 'auth_failed', status: 401, retryable: false });
  expect(asked).toBe(1);
});

test('a packed answer that is broken is an error with a code, and one that nobody reads on ends its connection', async () => {
  let closed = 0;
  const { url } = await serve((incoming, response) => {
    response.on('close', () => {
      closed += 1;
    });
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
    if (incoming.headers['x-name'] === 'open') response.write(gzipSync(said).subarray(0, -8));
    else response.end('no gzip at all, of some length');
  });
  const model = openai({ model: 'm', baseUrl: url.replace('?a=b', ''), apiKey: '', retries: 0 });
  await expect(generate(model, request)).rejects.toMatchObject({ code: expect.stringMatching(/^model_/) });
  const reader = (await get(url, { ...sent(), headers: { 'x-name': 'open' } })).body.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('Yes.');
  await reader.cancel();
  await vi.waitFor(() => expect(closed).toBe(2));
});

test('a dispatcher that would follow redirects is told not to, and its lists of repeated headers are read', async () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  let asked: { readonly maxRedirections?: number } | undefined;
  const real: unknown = Reflect.get(globalThis, DISPATCHER);
  const dispatch = (
    options: object,
    handler: { onConnect(a: () => void): void; onHeaders(...args: unknown[]): void; onComplete(): void },
  ) => {
    asked = options;
    handler.onConnect(() => undefined);
    handler.onHeaders(
      307,
      [bytes('set-cookie'), [bytes('a=1'), bytes('b=2')], bytes('location'), bytes('http://elsewhere/')],
      () => undefined,
    );
    handler.onComplete();
  };
  Reflect.set(globalThis, DISPATCHER, { dispatch });
  try {
    const answer = await get('http://127.0.0.1:1/');
    expect([answer.status, answer.ok, answer.headers.getSetCookie()]).toEqual([307, false, ['a=1', 'b=2']]);
    expect(asked).toMatchObject({ maxRedirections: 0 });
  } finally {
    Reflect.set(globalThis, DISPATCHER, real);
  }
});

test('bytes are read in order, once, however pushes, reads and pauses fall', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.integer({ min: 1, max: 40_000 }), fc.constant('read' as const)), { maxLength: 40 }),
      async (steps) => {
        let paused = false;
        const body = arrivingBody({
          resume: () => {
            paused = false;
          },
          stop: () => undefined,
        });
        let pushed = 0;
        const reads: Promise<number | undefined>[] = [];
        for (const step of steps) {
          if (step === 'read') {
            if (reads.length < pushed + 1) reads.push(body.read().then(({ value }) => value?.[0]));
            await Promise.resolve();
          } else if (!paused) {
            paused = !body.push(new Uint8Array(step).fill(pushed % 251));
            pushed += 1;
          }
        }
        body.end();
        for (let next = await body.read(); !next.done; next = await body.read()) reads.push(Promise.resolve(next.value?.[0]));
        const read = (await Promise.all(reads)).filter((first) => first !== undefined);
        expect(read).toEqual(Array.from({ length: pushed }, (_, index) => index % 251));
        expect(paused).toBe(false);
      },
    ),
  );
});
