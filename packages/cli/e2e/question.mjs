// Answers the questions of tools on the inspector's page, in headless Chromium: `node packages/cli/e2e/question.mjs [--screenshots]`.
// Needs a built package and a Chromium on this machine; without one it says so and passes nothing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pending } from '@x/agentos';
import { findNoFault } from './lib/axe.mjs';
import { createChecks, must } from './lib/check.mjs';
import { browserPath, launchBrowser } from './lib/chromium.mjs';
import { hasSqlite } from './lib/has-sqlite.mjs';
import { openTalk } from './lib/open-talk.mjs';
import { startInspector } from './lib/start-inspector.mjs';

if (!browserPath) {
  console.log('No Chromium is installed here, so the end-to-end tests were left out.\n0 passed, 0 failed, 1 skipped');
  process.exit(0);
}
const { check, end } = createChecks();
const browser = await launchBrowser();
const shots = fileURLToPath(new URL('../../../docs/screenshots', import.meta.url));

/** A tool of this name that asks, and what it was answered with. */
function asking(name, request) {
  const heard = [];
  const execute = (_args, { answer, callId }) => {
    if (!answer) return pending({ id: `${name}:${callId}`, ...request() });
    heard.push(answer.value);
    return `It is done: ${name}.`;
  };
  return { heard, tool: { name, description: `Does ${name}.`, inputSchema: { type: 'object' }, execute } };
}
const pay = asking('pay', () => ({ kind: 'approval', prompt: 'Pay 12 euros to the landlord?', data: { iban: 'NL00 TEST' } }));
const size = asking('size', () => ({ kind: 'question', prompt: 'Which size?', data: { choices: ['Small', 'Large'] } }));
const name = asking('name', () => ({ kind: 'question', prompt: 'Under which name?' }));
const login = asking('login', () => ({ kind: 'authorization', prompt: 'Please log in.', url: 'https://example.org/login' }));
const trap = asking('trap', () => ({ kind: 'authorization', prompt: 'Please log in.', url: 'javascript:alert(1)' }));
const brief = asking('brief', () => ({ kind: 'approval', prompt: 'Now or never?', expiresAtMs: Date.now() + 1_500 }));

/** A user's “use NAME” calls that tool; everything else gets words. */
let isDown = false;
let release = () => undefined;
let isSlow = false;
const talk = await openTalk({
  browser,
  tools: [pay, size, name, login, trap, brief].map(({ tool }) => tool),
  async reply({ messages }) {
    const { role, content } = messages.at(-1);
    if (role === 'user') {
      const named = /use (\w+)/.exec(String(content))?.[1];
      return named ? { toolCalls: [{ name: named, arguments: { euros: 12 } }] } : 'Hello.';
    }
    if (isSlow) await new Promise((done) => (release = done));
    return isDown ? { error: new Error('the line is down') } : 'That is settled.';
  },
});
const { page } = talk;
const message = page.getByLabel('Your message');
const heading = page.getByRole('heading', { name: 'Sam asks you' });
const button = (words) => page.getByRole('button', { name: words, exact: true });
/** The newest turn that is kept: one that still runs has words too, but nothing to inspect. */
const lastOf = (page) => page.locator('article.turn', { has: page.getByRole('button', { name: /^Inspect turn/ }) }).last();
const last = lastOf(page);
const focused = () => page.evaluate(() => document.activeElement?.id);
async function ask(tool) {
  await message.fill(`Please use ${tool}.`);
  await message.press('Enter');
  await heading.waitFor();
}

try {
  await check('a question shows its tool, its words, what it is about and since when, and takes the place of the message', async () => {
    await ask('pay');
    const question = page.getByRole('region', { name: 'Sam asks you' });
    const text = await question.textContent();
    for (const part of ['Pay 12 euros to the landlord?', 'pay', '"euros": 12', 'NL00 TEST', String(new Date().getFullYear())])
      must(text.includes(part), `${part} is not in: ${text}`);
    must((await message.count()) === 0, 'a message can be written while a question is open');
    await last.getByText('waits for an answer').waitFor();
    await page.waitForFunction(() => document.title.startsWith('Sam asks you'));
    await page.getByRole('status').filter({ hasText: 'The turn waits for your answer.' }).waitFor();
    must(
      await page
        .locator('#session option:checked')
        .textContent()
        .then((title) => title.includes('waits for you')),
      'the list does not say so',
    );
  });
  await check('the keyboard is led to the question, and an Enter too many says nothing', async () => {
    must((await focused()) === 'question-title', `the focus is on ${await focused()}`);
    await page.keyboard.press('Enter');
    must(pay.heard.length === 0, 'it was answered');
    await findNoFault(page);
  });
  await check('a yes by keyboard goes on with the turn once, and the keyboard is back at the message', async () => {
    await page.keyboard.press('Tab'); // what it is about
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await last.getByText('That is settled.').waitFor();
    await last.getByText('→ yes').waitFor();
    await message.waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'say');
    must(JSON.stringify(pay.heard) === '[true]', JSON.stringify(pay.heard));
    must((await page.locator('article.turn').count()) === 1, 'the turn is there twice');
    must(!(await page.locator('#session option:checked').textContent()).includes('waits'), 'the list says that it waits');
  });
  await check('the prompt of that turn is the one after the answer', async () => {
    await page.locator('#panel .prompt', { hasText: 'It is done: pay.' }).waitFor();
  });
  await check('choices are buttons, and the chosen one is the answer', async () => {
    await ask('size');
    await button('Large').click();
    await last.getByText('→ Large').waitFor();
    must(JSON.stringify(size.heard) === '["Large"]', JSON.stringify(size.heard));
  });
  await check('a question in words has a field of its own, which takes no empty answer', async () => {
    await ask('name');
    must(await button('Answer').isDisabled(), 'an empty answer can be sent');
    await page.getByLabel('Your answer').fill('Ada');
    await page.getByLabel('Your answer').press('Enter');
    await last.getByText('→ Ada').waitFor();
    must(JSON.stringify(name.heard) === '["Ada"]', JSON.stringify(name.heard));
  });
  await check('an authorization has its link, and may be answered without words', async () => {
    await ask('login');
    const link = page.getByRole('link', { name: 'https://example.org/login' });
    must((await link.getAttribute('rel')).includes('noopener'), 'the link can reach this page');
    await findNoFault(page);
    await button('Answer').click();
    await last.getByText('→ done').waitFor();
    must(login.heard.length === 1 && login.heard[0] === undefined, JSON.stringify(login.heard));
  });
  await check('an address that is no page is text, and who declines is obeyed', async () => {
    await ask('trap');
    must((await page.locator('.question a').count()) === 0, 'it is a link');
    await page.getByText('javascript:alert(1)').waitFor();
    await button('Decline').click();
    await last.getByText('→ declined').waitFor();
    must(trap.heard.length === 0, 'the tool ran');
  });
  await check('an answer whose turn failed says why, and can be given again', async () => {
    isDown = true;
    await ask('pay');
    await button('Yes').click();
    await page.getByRole('alert').filter({ hasText: 'failed' }).waitFor();
    await heading.waitFor();
    isDown = false;
    await button('Yes').click();
    await last.getByText('That is settled.').waitFor();
    must(pay.heard.length === 2, `it was paid ${pay.heard.length} times`);
    must((await page.getByRole('alert').count()) === 0, 'the old fault is still told');
  });
  await check('a question that was answered elsewhere says so, and the page shows how it stands', async () => {
    await ask('pay');
    await talk.answerElsewhere({ ok: false });
    await button('Yes').click();
    await page.getByRole('alert').filter({ hasText: 'not open any more' }).waitFor();
    await last.getByText('→ declined').waitFor();
    await message.waitFor();
    must(pay.heard.length === 2, 'the late answer was used');
  });
  await check('while an answer is worked on for another page, this one waits and then shows what came', async () => {
    isSlow = true;
    await ask('pay');
    const done = talk.answerElsewhere({ ok: true });
    await page.reload();
    await page.getByRole('status').filter({ hasText: 'was answered' }).waitFor();
    must(await button('Yes').isDisabled(), 'it can be answered again');
    isSlow = false;
    release();
    await done;
    await last.getByText('→ yes').waitFor();
    await message.waitFor();
  });
  await check('a dropped question ends its turn, and the talk goes on', async () => {
    await ask('pay');
    const paid = pay.heard.length;
    await button('Drop this turn').click();
    await last.getByText('→ dropped').waitFor();
    await message.fill('Hello?');
    await message.press('Enter');
    await last.getByText('Hello.', { exact: true }).waitFor();
    must(pay.heard.length === paid, 'the tool ran');
  });
  await check('when its time is over, a question gives way to the next message, which closes it', async () => {
    await ask('brief');
    await page.getByRole('status').filter({ hasText: 'is over' }).waitFor();
    await message.fill('Then not.');
    await message.press('Enter');
    await last.getByText('Hello.', { exact: true }).waitFor();
    await page.getByText('→ expired').waitFor();
    must(brief.heard.length === 0, 'the tool ran');
  });
  await check('on a phone, in the dark, a question fits and can be answered', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await ask('pay');
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    must(overflow <= 0, `the page is ${overflow} pixels too wide`);
    await findNoFault(page);
    await button('No').click();
    await last.getByText('→ declined').waitFor();
  });
  await check('no console error, and no request left this machine', async () => talk.mustBeQuiet());

  if (await hasSqlite()) {
    const folder = mkdtempSync(join(tmpdir(), 'x-question-'));
    const args = ['--db', join(folder, 'sessions.sqlite')];
    let server = await startInspector(args);
    try {
      await check('a question of Sam outlives the process that asked it, and is answered in the next', async () => {
        const sam = await browser.newPage({ viewport: { width: 1280, height: 860 } });
        await sam.goto(server.url);
        await sam.getByLabel('New session with').selectOption({ label: 'Sam' });
        await sam.getByRole('button', { name: 'Start', exact: true }).click();
        for (const text of ['What if I ask really, really nicely?', '(000) 000-0000']) {
          await sam.getByLabel('Your message').fill(text);
          await sam.getByLabel('Your message').press('Enter');
          await sam
            .locator('article.turn', { hasText: text })
            .getByRole('button', { name: /^Inspect turn/ })
            .waitFor();
        }
        await sam.getByText('May I promise that the manager calls (000) 000-0000 today?').first().waitFor();
        if (process.argv.includes('--screenshots')) await sam.screenshot({ path: join(shots, 'question.png') });
        await server.stop();
        await sam.getByRole('button', { name: 'Yes', exact: true }).click();
        await sam.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor();
        server = await startInspector(args);
        await sam.goto(server.url);
        await sam.getByRole('heading', { name: 'Sam asks you' }).waitFor();
        await sam.getByRole('button', { name: 'Yes', exact: true }).click();
        await lastOf(sam).getByText('calls back today').waitFor();
        must((await sam.locator('article.turn').count()) === 2, 'the turn is there twice');
        await sam.close();
      });
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  } else console.log('No SQLite driver is built here, so no question was kept over a restart.');
} finally {
  await talk.close();
  await browser.close();
}
end();
