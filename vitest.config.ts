import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/*/vitest.config.ts', 'apps/*/vitest.config.ts', 'scripts/vitest.config.ts', 'examples/vitest.config.ts'],
    reporters: ['default', './scripts/closing-line-reporter.mjs'],
    coverage: { provider: 'v8', include: ['packages/*/src/**'], exclude: ['**/*.test.ts', '**/*.test-d.ts'] },
  },
});
