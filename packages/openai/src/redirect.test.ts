import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generate, type IChatModel } from '@x/core';
import { afterEach, expect, test } from 'vitest';
import { request } from './answer-from.test-helper.js';
import { anthropic } from './anthropic/anthropic.js';
import { openai } from './openai.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([301, 302, 303, 307, 308])(
  'HTTP %i leads nowhere: key, headers and text go to the host that was chosen and to no other',
  async (status) => {
    const strayed: string[] = [];
    const elsewhere = await listen(
      createServer((incoming, response) => {
        strayed.push(incoming.url ?? '');
        response.end('{}');
      }),
    );
    let asked = 0;
    const chosen = await listen(
      createServer((incoming, response) => {
        asked += 1;
        response.writeHead(status, { location: `${elsewhere}${incoming.url}` }).end();
      }),
    );
    const options = { model: 'm', baseUrl: `${chosen}/v1`, apiKey: 'sk-secret', headers: { 'x-tenant': 'secret' } };
    const models: readonly IChatModel[] = [openai(options), anthropic(options)];
    for (const model of models) {
      await expect(generate(model, request)).rejects.toMatchObject({
        code: 'model_request_invalid',
        status,
        retryable: false,
        message: expect.stringContaining('Check baseUrl'),
      });
    }
    expect([strayed, asked]).toEqual([[], 2]);
  },
);

test('what a browser shows of a redirect is one too', async () => {
  const opaque = { type: 'opaqueredirect', status: 0, ok: false, headers: new Headers(), body: null };
  const model = openai({ model: 'm', apiKey: 'k', fetch: async () => opaque });
  await expect(generate(model, request)).rejects.toMatchObject({ code: 'model_request_invalid' });
});
