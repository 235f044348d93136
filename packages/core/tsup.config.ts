import { definePackage } from '../../tsup.shared.ts';

/**
 * The other entries take what they share with the main one from there, where it is public. Each chunk for it would be
 * one more file to open.
 */
const fromIndex: NonNullable<Parameters<typeof definePackage>[0]['esbuildPlugins']>[number] = {
  name: 'from-index',
  setup({ initialOptions, onResolve }) {
    const path = `../index${initialOptions.outExtension?.['.js'] ?? '.js'}`;
    onResolve({ filter: /^\.\.\// }, ({ importer }) =>
      /src\/(?:schema|contracts)\//.test(importer) ? { path, external: true } : undefined,
    );
  },
};

export default definePackage(
  {
    entry: { index: 'src/index.ts', 'schema/index': 'src/schema/index.ts', 'contracts/index': 'src/contracts/index.ts' },
    platform: 'neutral',
    esbuildPlugins: [fromIndex],
  },
  // zod comes inside of them: one file instead of a hundred.
  [/persona-shape\.ts$/, /convert-schema\.ts$/],
);
