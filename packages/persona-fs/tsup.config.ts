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
  // yaml and croner come inside of them: seventy files less to open.
  [/read-yaml-map\.ts$/, /cron-times\.ts$/],
);
