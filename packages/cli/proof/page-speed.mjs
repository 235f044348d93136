// How fast the inspector's page is in a real browser: first paint, a long session opening, and scrolling through all of it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStore } from '@x/store/sqlite';
import { browserPath, launchBrowser } from '../e2e/lib/chromium.mjs';
import { fillSession } from '../e2e/lib/fill-session.mjs';
import { hasSqlite } from '../e2e/lib/has-sqlite.mjs';
import { startInspector } from '../e2e/lib/start-inspector.mjs';

/** A frame that takes longer than this is jank: at 60 frames a second two would be lost. */
const JANK_MS = 50;
const worst = (values) => Math.max(...values);
const all = (values) => values.map((value) => Math.round(value)).join(', ');

/** A page in a profile of its own, opened by the link. */
async function open(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForSelector('article.turn');
  return page;
}

/** Milliseconds from the start of a navigation to the first words on the screen. */
async function firstPaint(browser, url) {
  const page = await open(browser, url);
  const ms = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  await page.context().close();
  return ms ?? Number.POSITIVE_INFINITY;
}

/** Milliseconds from choosing a session to the frame that shows its last turn and that turn's prompt. */
async function openSession(browser, url, { from, to, turns }) {
  const page = await open(browser, url);
  await page.selectOption('#session', from);
  await page.waitForFunction((id) => location.hash === `#${id}`, from);
  const ms = await page.evaluate(
    ([id, last]) =>
      new Promise((done) => {
        const start = performance.now();
        const select = document.querySelector('#session');
        select.value = id;
        select.dispatchEvent(new Event('change', { bubbles: true }));
        const look = () => {
          const button = [...document.querySelectorAll('article.turn.chosen button')].at(-1);
          const drawn = button?.textContent?.endsWith(` ${last}`) && document.querySelectorAll('ol.prompt li').length > 0;
          if (drawn) done(performance.now() - start);
          else requestAnimationFrame(look);
        };
        look();
      }),
    [to, turns],
  );
  await page.context().close();
  return ms;
}

/** Turns the wheel from the last turn up to the first and back, as fast as a hand does, and watches every frame. */
async function scroll(browser, url, { to, turns }) {
  const page = await open(browser, url);
  await page.selectOption('#session', to);
  await page.waitForFunction((id) => location.hash === `#${id}`, to);
  await page
    .locator('.turns')
    .getByRole('button', { name: `Inspect turn ${turns}`, exact: true })
    .waitFor();
  await page.waitForTimeout(500);
  await page.evaluate(() => {
    const frames = { longestMs: 0, janks: 0, count: 0 };
    let last = performance.now();
    const startMs = last;
    const watch = (now) => {
      frames.longestMs = Math.max(frames.longestMs, now - last);
      frames.count += 1;
      last = now;
      globalThis.frameWatch = requestAnimationFrame(watch);
    };
    globalThis.framesSeen = frames;
    requestAnimationFrame((now) => {
      last = now;
      requestAnimationFrame(watch);
    });
    new PerformanceObserver((list) => {
      // The frame that opened the session is told late, and is none of scrolling.
      frames.janks += list.getEntries().filter(({ startTime }) => startTime >= startMs).length;
    }).observe({ type: 'long-animation-frame' });
  });
  const box = await page.locator('.turns').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const seesFirst = () =>
    page.evaluate(
      () => document.querySelector('.turns').scrollTop === 0 && document.querySelector('article.turn button')?.textContent?.endsWith(' 1'),
    );
  let steps = 0;
  for (; steps < 20 * turns && !(await seesFirst()); steps += 1) await page.mouse.wheel(0, -600);
  const reached = await seesFirst();
  for (let back = 0; back < steps; back += 1) await page.mouse.wheel(0, 600);
  const frames = await page.evaluate(() => {
    cancelAnimationFrame(globalThis.frameWatch);
    return globalThis.framesSeen;
  });
  await page.context().close();
  return { ...frames, reached };
}

export default async function ({ short, log }) {
  if (!browserPath) return { skip: 'no Chromium is installed here' };
  if (!(await hasSqlite())) return { skip: 'no SQLite driver is built here' };
  const turns = short ? 150 : 1_000;
  const tries = short ? 2 : 5;
  const folder = mkdtempSync(join(tmpdir(), 'page-speed-'));
  const path = join(folder, 'sessions.sqlite');
  let browser;
  let inspector;
  try {
    const store = sqliteStore({ path, durability: 'normal' });
    const long = await fillSession({ store, turns });
    const brief = await fillSession({ store, turns: 2, seed: 2 });
    await store.close();
    log(`${turns} turns in the file`);
    inspector = await startInspector(['--db', path]);
    browser = await launchBrowser();
    const paints = [];
    const opens = [];
    const scrolls = [];
    for (let round = 0; round < tries; round += 1) {
      paints.push(await firstPaint(browser, inspector.url));
      opens.push(await openSession(browser, inspector.url, { from: brief, to: long, turns }));
    }
    for (let round = 0; round < 3; round += 1) scrolls.push(await scroll(browser, inspector.url, { to: long, turns }));
    const longest = scrolls.map(({ longestMs }) => longestMs);
    return [
      {
        claim: 'The first paint of the inspector comes within a second of the navigation, in a fresh browser profile',
        figure: `${all(paints)} ms`,
        limit: 'each below 1,000 ms',
        pass: worst(paints) < 1_000,
      },
      {
        claim: `A session of ${turns} turns opens within two seconds: from choosing it to the frame with its last turn and that turn's prompt`,
        figure: `${all(opens)} ms`,
        limit: 'each below 2,000 ms',
        pass: worst(opens) < 2_000,
      },
      {
        claim: `Scrolling with the wheel through all ${turns} turns and back has no jank, that is no frame over ${JANK_MS} ms, in two of three tries`,
        figure: `longest frame ${all(longest)} ms, of ${all(scrolls.map(({ count }) => count))} frames; ${all(scrolls.map(({ janks }) => janks))} long ones`,
        limit: `at most ${JANK_MS} ms in two of three, and the first turn is reached in all`,
        // One frame may be lost to another program; the page's own would be lost each time.
        pass:
          scrolls.every(({ reached }) => reached) &&
          scrolls.filter(({ longestMs, janks }) => longestMs <= JANK_MS && janks === 0).length >= 2,
      },
    ];
  } finally {
    await browser?.close();
    await inspector?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
