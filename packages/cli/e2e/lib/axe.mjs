import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { must } from './check.mjs';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Fails when the page, as it is now, has a serious fault for people who cannot see it or use no mouse. */
export async function findNoFault(page) {
  await page.evaluate(source);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  must(serious.length === 0, serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120)}`).join('; '));
}
