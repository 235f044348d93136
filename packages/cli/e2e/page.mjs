// Reads the inspector's page as a demanding user: `node packages/cli/e2e/page.mjs`. Long words, texts from right to left, narrow and wide, two
// hundred turns, turns that fail, nothing said yet. Needs a built package and a Chromium; without one it says so and passes nothing.
import { findNoFault } from './lib/axe.mjs';
import { createChecks, must } from './lib/check.mjs';
import { browserPath, launchBrowser } from './lib/chromium.mjs';
import { openTalk } from './lib/open-talk.mjs';

if (!browserPath) {
  console.log('No Chromium is installed here, so the end-to-end tests were left out.\n0 passed, 0 failed, 1 skipped');
  process.exit(0);
}
const { check, end } = createChecks();
const browser = await launchBrowser();

const WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(5);
const ARABIC = 'مرحبا، أريد إرجاع الطلب رقم 12345 لأن المقاس غير صحيح';
/** Notes something under a key of one long word, with a value from right to left. */
const note = {
  name: `note_${'x'.repeat(59)}`,
  description: 'Notes.',
  inputSchema: { type: 'object' },
  execute(_args, { turn }) {
    turn.apply({ imprint: WORD.slice(0, 200), value: { key: ARABIC, value: WORD } }, `${WORD} was said`);
    return WORD;
  },
};
let hold;
const talk = await openTalk({
  browser,
  tools: [note],
  async reply({ messages }) {
    const { role, content } = messages.at(-1);
    const text = String(content);
    if (messages[0].role !== 'system') return '{}';
    if (text.includes('FAIL')) return { error: new Error(`the line is down ${WORD}`) };
    if (text.includes('SLOW')) await hold;
    if (role === 'tool' || text.includes(WORD)) return WORD;
    if (text.includes('NOTE')) return { toolCalls: [{ name: note.name, arguments: {} }] };
    return text.includes(ARABIC) ? `${ARABIC}\n\n1. ${ARABIC}` : 'Fine, let us look at that together.';
  },
});
const { page } = talk;
const message = page.getByLabel('Your message');
const panel = page.locator('#panel');
const last = page.locator('article.turn').last();
const PANELS = ['Prompt', 'Timeline', 'State', 'Changes', 'Memory', 'Folds'];
const tab = (name) => page.getByRole('tab', { name }).click();
const resize = (width) => page.setViewportSize({ width, height: width < 800 ? 640 : 860 });
async function say(text) {
  const turns = await page.locator('article.turn').count();
  await message.fill(text);
  await message.press('Enter');
  await page
    .locator('article.turn')
    .nth(turns)
    .getByRole('button', { name: /^Inspect turn/ })
    .waitFor();
}
/** What is wider than the place it has, in the whole page. */
const tooWide = () =>
  page.evaluate(() => {
    const isWide = (element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline';
    const found = [...document.querySelectorAll('html, #app *:not(select, option, svg *)')].filter(isWide);
    return found.map(({ tagName, className, scrollWidth, clientWidth }) => `${tagName}.${className} ${scrollWidth}>${clientWidth}`);
  });

try {
  await check('where nothing was said, the talk and every panel say so', async () => {
    for (const name of PANELS) {
      await tab(name);
      await page.waitForFunction(() => (document.querySelector('#panel')?.textContent ?? '').trim() !== '');
    }
    must((await page.getByRole('log').textContent()).trim() !== '', 'the talk is a blank');
    must((await tooWide()).length === 0, (await tooWide()).join(', '));
    await findNoFault(page);
  });
  await check('the prompt has one boundary, behind all that is stable', async () => {
    await tab('Prompt');
    await say('Hello, can you help me?');
    await panel.locator('li.volatile').first().waitFor();
    must((await panel.locator('li.boundary').count()) === 1, `${await panel.locator('li.boundary').count()} boundaries`);
    const places = await panel.locator('.prompt li').evaluateAll((lines) => lines.map((line) => line.className.split(' ')[0]));
    const boundary = places.findIndex((place) => place !== 'stable');
    must(boundary > 5 && places.slice(boundary).every((place) => place !== 'stable'), places.join(' '));
  });
  await check('of two lines that were pointed at, the last one is explained, whichever answer comes first', async () => {
    const lines = panel.locator('.prompt li button');
    await page.route('**/why?line=1', async (route) => {
      await new Promise((done) => setTimeout(done, 300));
      await route.continue();
    });
    const late = page.waitForResponse('**/why?line=1');
    await lines.first().hover();
    await panel.locator('li.volatile button').first().hover();
    await page.locator('.cause', { hasText: 'volatile' }).waitFor();
    await late;
    await page.waitForTimeout(100);
    must((await page.locator('.cause').textContent()).startsWith('volatile'), await page.locator('.cause').textContent());
    await page.unroute('**/why?line=1');
  });
  await check('words of any length stay in their place, in every panel, narrow and wide', async () => {
    await say(`Is it ${WORD}?`);
    await say('NOTE this.');
    for (const width of [320, 1400]) {
      await resize(width);
      for (const name of PANELS) {
        await tab(name);
        await page.waitForTimeout(100);
        const wide = await tooWide();
        must(wide.length === 0, `${name}, ${width}: ${wide.join(', ')}`);
      }
    }
  });
  await check('texts from right to left begin at the right, line by line, beside labels that do not', async () => {
    await say(ARABIC);
    await resize(1400);
    await tab('Prompt');
    const line = panel.locator('.prompt li', { hasText: ARABIC }).last();
    for (const place of [page.locator('.turn.chosen .user'), page.locator('.turn.chosen .reply'), line.locator('.text')]) {
      const gap = await place.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return element.getBoundingClientRect().right - Math.max(...[...range.getClientRects()].map(({ right }) => right));
      });
      must(gap < 20, `a text ends ${gap} pixels before the edge`);
    }
  });
  await check('a turn that fails says why, keeps what was written, and the next one has the next number', async () => {
    await message.fill('FAIL, please');
    await message.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.waitForFunction(() => document.querySelector('#say')?.value === 'FAIL, please');
    must((await tooWide()).length === 0, (await tooWide()).join(', '));
    await findNoFault(page);
    await say('And now?');
    must((await page.getByRole('alert').count()) === 0, 'the fault is still told');
    await page.getByRole('button', { name: 'Inspect turn 5', exact: true }).waitFor();
  });
  await check('a turn is stopped, and what was written is not lost', async () => {
    hold = new Promise(() => undefined);
    await message.fill('SLOW, please');
    await message.press('Enter');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('alert').filter({ hasText: 'was stopped' }).waitFor();
    await page.waitForFunction(() => document.querySelector('#say')?.value === 'SLOW, please' && document.activeElement?.id === 'say');
    await message.fill('');
  });
  await check('the panels are changed with the arrow keys, and Tab leaves them', async () => {
    await tab('Prompt');
    const chosen = () =>
      page.evaluate(() => [document.activeElement?.textContent, document.querySelector('[aria-selected="true"]')?.textContent].join());
    for (const [key, name] of [
      ['ArrowRight', 'Timeline'],
      ['End', 'Folds'],
      ['ArrowRight', 'Prompt'],
      ['ArrowLeft', 'Folds'],
      ['Home', 'Prompt'],
      ['ArrowRight', 'Timeline'],
    ]) {
      await page.keyboard.press(key);
      must((await chosen()) === `${name},${name}`, `${key}: ${await chosen()}`);
    }
    await page.keyboard.press('Tab');
    must((await page.evaluate(() => document.activeElement?.id)) === 'panel', 'Tab does not lead into the panel');
  });
  await check('the plot follows the window and its colours', async () => {
    await tab('Timeline');
    const canvas = panel.locator('canvas');
    const colours = () => canvas.evaluate((element) => element.toDataURL());
    const light = await colours();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForFunction((before) => document.querySelector('#panel canvas')?.toDataURL() !== before, light);
    await resize(320);
    await page.waitForFunction(() => document.querySelector('#panel canvas').getBoundingClientRect().right <= window.innerWidth);
    must((await tooWide()).length === 0, (await tooWide()).join(', '));
    await resize(1400);
    await page.waitForFunction(() => document.querySelector('#panel .u-wrap').getBoundingClientRect().width > 600);
    await page.emulateMedia({ colorScheme: 'light' });
  });
  await check('on a phone a turn that is inspected brings its panel into view', async () => {
    await resize(320);
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByRole('button', { name: 'Inspect turn 4', exact: true }).click();
    await page.waitForFunction(() => document.querySelector('[role="tablist"]').getBoundingClientRect().top < window.innerHeight / 2);
    await resize(1400);
  });
  await check('what another session still answers does not take this one away', async () => {
    let release;
    hold = new Promise((done) => {
      release = done;
    });
    const first = new URL(page.url()).hash;
    await message.fill('SLOW, please');
    await message.press('Enter');
    await last.getByText('thinking…').waitFor();
    await tab('Prompt');
    await talk.start();
    await page.waitForFunction((before) => location.hash !== before, first);
    const second = new URL(page.url()).hash;
    release();
    await talk.settled(first.slice(1), 6);
    await page.waitForTimeout(300);
    must(new URL(page.url()).hash === second, 'the page went back');
    await page.getByText('Say something, and this turn').waitFor();
  });
  await check('of two hundred turns the list of what happened says how many it leaves out', async () => {
    await talk.fill(200, (turn) =>
      turn % 2 === 0 ? 'This is terrible, I hate it and your answer is useless.' : 'Thank you, that worked great and I love it.',
    );
    await page.reload();
    await page.getByRole('button', { name: 'Inspect turn 200', exact: true }).waitFor();
    await tab('Timeline');
    await panel.getByText('Turn 200').waitFor();
    must((await panel.locator('.marks li').count()) === 100, 'another number of turns is listed');
    await panel.getByText('100 older ones').waitFor();
    must((await tooWide()).length === 0, (await tooWide()).join(', '));
    await findNoFault(page);
  });
  await check('no request left this machine, and nothing was told to the console', async () => talk.mustBeQuiet());
} finally {
  await talk.close();
  await browser.close();
}
end();
