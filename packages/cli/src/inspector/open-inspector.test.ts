import { createMemoryStore, type IAgentStore } from '@x/agentos';
import { createScriptedModel } from '@x/testkit';
import { expect, test } from 'vitest';
import type { Endpoint } from '../endpoint.js';
import { personas } from '../personas.js';
import { openInspector } from './open-inspector.js';

const endpoint: Endpoint = { model: createScriptedModel([]), offline: true, description: '', close: async () => undefined };

test('a session that cannot be opened is an error of its own, and the server still closes', async () => {
  const inner = createMemoryStore();
  const store: IAgentStore = {
    open: (scope, options) =>
      'user' in scope && scope.user === 'tutor' ? Promise.reject(new Error('the disk is away')) : inner.open(scope, options),
  };
  const inspector = await openInspector({ store, endpoint, personas });
  const url = new URL(inspector.url);
  const headers = { cookie: `inspector=${url.searchParams.get('token')}` };
  const made = await fetch(new URL('/api/sessions', url), { method: 'POST', headers, body: JSON.stringify({ persona: 'tutor' }) });
  const { id } = (await made.json()) as { id: string };
  const answer = await fetch(new URL(`/api/session/${id}`, url), { headers });
  expect([answer.status, await answer.json()]).toEqual([400, { code: 'internal_error', message: 'the disk is away' }]);
  await inspector.close();
  await expect(fetch(url)).rejects.toThrow();
});

test('a store that cannot be used is told at the start, not by the page', async () => {
  const store: IAgentStore = { open: () => Promise.reject(new Error('no driver is installed')) };
  await expect(openInspector({ store, endpoint, personas })).rejects.toThrow('no driver is installed');
});
