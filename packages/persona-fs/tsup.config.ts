import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { definePackage } from '../../tsup.shared.ts';

const yaml = dirname(createRequire(import.meta.url).resolve('yaml/package.json'));

export default definePackage({
  entry: { index: 'src/index.ts' },
  platform: 'node',
  // One file instead of seventy, taken from yaml's modules: its build for Node is CommonJS.
  noExternal: ['yaml'],
  esbuildOptions(options) {
    options.alias = { yaml: join(yaml, 'browser/dist/index.js') };
  },
});
