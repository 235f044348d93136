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
  const start = async () => {
    await page.getByLabel('New session with').selectOption({ label: 'Sam' });
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Say something, and this turn').waitFor();
  };
  await page.goto(inspector.url);
  await start();
  const url = new URL(inspector.url);
  const headers = { cookie: `inspector=${url.searchParams.get('token')}`, 'content-type': 'application/json' };
  const session = (id = new URL(page.url()).hash.slice(1)) => new URL(`/api/session/${id}`, url);
  const post = async (path, body) => (await fetch(`${session()}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).text();
  return {
    page,
    /** Starts another session of Sam on the page. */
    start,
    /** Says so many things in the page's session, without the page. */
    async fill(turns, textOf) {
      for (let turn = 1; turn <= turns; turn += 1) await post('/turn', { text: textOf(turn) });
    },
    /** Waits until a session has so many turns. */
    async settled(id, turns) {
      for (let tries = 0; tries < 100; tries += 1) {
        const { reports } = await (await fetch(session(id), { headers })).json();
        if (reports.length >= turns) return;
        await new Promise((done) => setTimeout(done, 50));
      }
      throw new Error(`session ${id} has no ${turns} turns`);
    },
    /** Answers the open question as another page would. */
    async answerElsewhere(said) {
      const { question } = await (await fetch(session(), { headers })).json();
      await post('/answer', { question: question.id, ...said });
    },
    /** Fails when the page told of an error, or asked another machine. */
    mustBeQuiet: () => must(faults.length === 0, faults.join('; ')),
    async close() {
      await page.close();
      await inspector.close();
    },
  };
}
