import { createMemoryStore } from '@x/agentos';
import { openInspector, personas } from '@x/cli';
import { createScriptedModel } from '@x/testkit';
import { must } from './check.mjs';

/**
 * Opens an inspector in this process, and its page with a new session of Sam.
 *
 * @param {{
 *   browser: import('playwright-core').Browser,
 *   reply: Parameters<typeof createScriptedModel>[0],
 *   tools?: readonly import('@x/agentos').ITool[],
 *   viewport?: { width: number, height: number },
 * }} options
 */
export async function openTalk({ browser, reply, tools = [], viewport = { width: 1280, height: 860 } }) {
  const endpoint = { model: createScriptedModel(reply, { record: false }), offline: true, description: '', close: async () => undefined };
  const inspector = await openInspector({ store: createMemoryStore(), endpoint, personas, tools: { support: tools } });
  const page = await browser.newPage({ viewport });
  page.setDefaultTimeout(10_000);
  const faults = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => new URL(request.url()).hostname !== '127.0.0.1' && faults.push(`a request to ${request.url()}`));
  await page.goto(inspector.url);
  await page.getByLabel('Persona', { exact: true }).selectOption({ label: 'Sam' });
  await page.getByRole('button', { name: 'New session' }).click();
  await page.getByText('Say something, and this turn').waitFor();
  const url = new URL(inspector.url);
  const headers = { cookie: `inspector=${url.searchParams.get('token')}`, 'content-type': 'application/json' };
  const session = () => new URL(`/api/session/${new URL(page.url()).hash.slice(1)}`, url);
  return {
    page,
    /** Answers the open question as another page would. */
    async answerElsewhere(said) {
      const { question } = await (await fetch(session(), { headers })).json();
      const body = JSON.stringify({ question: question.id, ...said });
      await (await fetch(`${session()}/answer`, { method: 'POST', headers, body })).text();
    },
    /** Fails when the page told of an error, or asked another machine. */
    mustBeQuiet: () => must(faults.length === 0, faults.join('; ')),
    async close() {
      await page.close();
      await inspector.close();
    },
  };
}
