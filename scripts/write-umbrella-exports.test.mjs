import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exportedNames, umbrellaExports } from './write-umbrella-exports.mjs';

test('the umbrella exports every public name of its packages (npm run umbrella)', () => {
  const written = readFileSync(new URL('../packages/agentos/src/re-exports.ts', import.meta.url), 'utf8');
  const names = (source) =>
    exportedNames(source, 're-exports.ts')
      .map(({ name }) => name)
      .sort();
  expect(names(written)).toEqual(names(umbrellaExports()));
});

test('a star export is refused', () => {
  expect(() => exportedNames("export * from './a.js';", 'x')).toThrow('x exports by star');
});

test('a name of two packages is exported once', () => {
  const text = umbrellaExports((name) =>
    name === 'core' ? "export { same, type Kind } from './a.js';" : "export { same } from './b.js';",
  );
  expect(text.match(/same/g)).toHaveLength(1);
  expect(text).toContain('type Kind');
});
