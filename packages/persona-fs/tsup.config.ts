import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { definePackage } from '../../tsup.shared.ts';

const yaml = dirname(createRequire(import.meta.url).resolve('yaml/package.json'));

export default definePackage(
  {
    entry: { index: 'src/index.ts' },
    platform: 'node',
    esbuildOptions(options) {
      // Taken from yaml's modules, since its build for Node is CommonJS.
      options.alias = { yaml: join(yaml, 'browser/dist/index.js') };
    },
  },
  // yaml comes inside of it: one file instead of seventy.
  [/read-yaml-map\.ts$/],
);
