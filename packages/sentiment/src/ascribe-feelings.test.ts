import { expect, test } from 'vitest';
import { detectAffect } from './detect-affect.js';

test('feelings of others inside a request are withdrawn in time linear in the text', () => {
  for (const said of ['he mad ', 'he mad. ']) {
    const startMs = performance.now();
    const found = detectAffect(`Write a reply please. ${said.repeat(40_000)}`);
    expect(found.frustrated).toBeLessThan(0.5);
    expect(performance.now() - startMs).toBeLessThan(5_000);
  }
}, 120_000);
