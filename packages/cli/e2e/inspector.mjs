// Uses the inspector as a person would, in headless Chromium: `node packages/cli/e2e/inspector.mjs [--screenshots]`.
// Needs a built package and a Chromium on this machine; without one it says so and passes nothing.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNoFault } from './lib/axe.mjs';
import { createChecks, must } from './lib/check.mjs';
import { browserPath, launchBrowser } from './lib/chromium.mjs';
import { hasSqlite } from './lib/has-sqlite.mjs';
import { startInspector } from './lib/start-inspector.mjs';

const { check, end } = createChecks();
const root = fileURLToPath(new URL('../../..', import.meta.url));
if (!browserPath) {
  console.log('No Chromium is installed here, so the end-to-end tests were left out.\n0 passed, 0 failed, 1 skipped');
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), 'x-inspector-'));
cpSync(join(root, 'examples/persona-agent/ava'), join(folder, 'ava'), { recursive: true });
const isKept = await hasSqlite();
if (!isKept) console.log('No SQLite driver is built here, so the sessions are kept in memory.');
const server = await startInspector([join(folder, 'ava'), ...(isKept ? ['--db', join(folder, 'sessions.sqlite')] : [])]);
const { url } = server;
const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
page.setDefaultTimeout(30_000);
const consoleErrors = [];
const strayRequests = [];
page.on('console', (message) => message.type() === 'error' && consoleErrors.push(message.text()));
page.on('pageerror', (error) => consoleErrors.push(String(error)));
page.on('request', (request) => !['127.0.0.1', 'localhost'].includes(new URL(request.url()).hostname) && strayRequests.push(request.url()));

/** The number of the newest turn; older ones may not be drawn. */
const turns = async () => Number(/\d+$/.exec((await page.locator('article.turn footer button').allTextContents()).at(-1) ?? '0')?.[0]);
async function say(text) {
  const next = (await turns()) + 1;
  await page.getByLabel('Your message').fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: `Inspect turn ${next}`, exact: true }).waitFor();
}
const tab = (name) => page.getByRole('tab', { name }).click();
const panel = page.locator('#panel');
async function start(persona) {
  await page.getByLabel('New session with').selectOption({ label: persona });
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('Say something, and this turn').waitFor();
}
const shots = join(root, 'docs/screenshots');
const shoot = async (name) => {
  if (!process.argv.includes('--screenshots')) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
};
try {
  await check('without the link nothing is shown', async () => {
    const response = await fetch(new URL('/', url));
    must(response.status === 403, `got ${response.status}`);
    must((await fetch(new URL('/api/sessions', url))).status === 403, 'the interface answered');
  });
  await check('another host name or another page is refused', async () => {
    const token = new URL(url).searchParams.get('token');
    const response = await fetch(new URL('/api/sessions', url), {
      headers: { cookie: `inspector=${token}`, origin: 'http://evil.example' },
    });
    must(response.status === 403, `got ${response.status}`);
  });
  await check('the link opens the page and leaves no token in the address', async () => {
    await page.goto(url);
    await page.getByRole('heading', { name: 'Persona inspector' }).waitFor();
    must(!page.url().includes('token'), page.url());
    const [cookie] = await page.context().cookies();
    must(cookie?.httpOnly && cookie.sameSite === 'Strict', JSON.stringify(cookie));
  });
  await start('Tutor');
  await check('a frustrated message raises the event and changes the mood', async () => {
    await say('What is a function?');
    await say('This is terrible, I hate it and your answer is useless.');
    const card = page.locator('article.turn').last();
    await card.getByText('user_frustrated').waitFor();
    await card.getByText('mood → empathetic').waitFor();
  });
  await check('the next prompt has the element of that mood as a new line, and says what put it there', async () => {
    await say('What should I try next?');
    await tab('Prompt');
    const line = panel.locator('li.volatile.new', { hasText: 'Acknowledge the difficulty' });
    await line.waitFor();
    await line.getByRole('button').hover();
    await page.locator('.cause', { hasText: 'gmi_frustration_recovery' }).waitFor();
    must((await panel.locator('li.boundary').count()) >= 1, 'no boundary is drawn');
    await shoot('prompt');
  });
  await check('the timeline draws score and mood', async () => {
    await tab('Timeline');
    await panel.locator('canvas').waitFor();
    await panel.getByText('mood neutral → empathetic').waitFor();
    await shoot('timeline');
  });
  await check('the radar shows the traits', async () => {
    await tab('State');
    must((await panel.locator('svg polygon.value').count()) === 1, 'no radar');
    await shoot('state');
  });
  await check('no serious fault for readers with a screen reader', async () => {
    for (const name of ['State', 'Timeline', 'Changes', 'Prompt']) {
      await tab(name);
      await findNoFault(page);
    }
  });
  await check('a change is undone', async () => {
    await tab('Changes');
    await panel.locator('li', { hasText: 'mood neutral → empathetic' }).getByRole('button', { name: 'Undo' }).click();
    await panel.locator('li', { hasText: 'mood empathetic → neutral' }).waitFor();
  });
  await check('a long talk folds, and the fold can be read', async () => {
    const filler = 'The hotel stands near the harbour and the train leaves early in the morning. '.repeat(45);
    for (let n = 1; n <= 8; n += 1) await say(`Note ${n}: the booking code is OSL-${1000 + n}. ${filler}`);
    await tab('Folds');
    await panel.getByText('Facts, word for word').waitFor();
    must((await panel.textContent()).includes('OSL-1001'), 'the first code is not in the ledger');
    await shoot('fold');
  });
  await check('the first turn of a long talk is drawn when it is scrolled to, and the last one when one comes back', async () => {
    const newest = await turns();
    const talk = page.getByRole('log');
    await talk.press('Home');
    await page.getByRole('button', { name: 'Inspect turn 1', exact: true }).waitFor();
    await talk.press('End');
    await page.getByRole('button', { name: `Inspect turn ${newest}`, exact: true }).waitFor();
  });
  await check('a turn can be taken away as a file', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'export' }).last().click()]);
    const text = readFileSync(await download.path(), 'utf8');
    must(text.includes('<h1>Turn') && !text.includes('<script'), 'the file is not a plain page');
  });
  await check('a reload keeps the session, and shows its newest turn', async () => {
    const before = await turns();
    await page.reload();
    await page.getByRole('button', { name: `Inspect turn ${before}`, exact: true }).waitFor();
    await page.waitForFunction(() => {
      const box = document.querySelector('.turns');
      return box && box.scrollHeight - box.scrollTop - box.clientHeight < 40;
    });
    must((await turns()) === before, `${await turns()} of ${before} turns`);
  });
  await check('a memory edit of a persona folder is shown and undone', async () => {
    await start('Your folder');
    await say('Please remember that I prefer dark roast coffee.');
    await tab('Memory');
    const edit = panel.locator('.edits li', { hasText: 'dark roast' }).first();
    await edit.waitFor();
    await edit.getByRole('button', { name: 'Undo' }).click();
    await panel.locator('.edits b', { hasText: /^undo$/ }).waitFor();
    must(!(await panel.locator('.notes').textContent()).includes('dark roast'), 'the note is still there');
  });
  await check('on a phone everything fits and is reachable', async () => {
    await page.setViewportSize({ width: 390, height: 780 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    must(overflow <= 0, `the page is ${overflow} pixels too wide`);
    await shoot('phone');
    await page.setViewportSize({ width: 1280, height: 860 });
  });
  await check('in the dark it is still readable', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await findNoFault(page);
    await shoot('dark');
  });
  await check('no console error, and no request left this machine', async () => {
    must(consoleErrors.length === 0, consoleErrors.join('; '));
    must(strayRequests.length === 0, strayRequests.join('; '));
  });
} finally {
  await browser.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
end();
