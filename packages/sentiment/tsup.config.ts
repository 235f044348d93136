import { readFile } from 'node:fs/promises';
import { definePackage } from '../../tsup.shared.ts';

type Plugin = NonNullable<Parameters<typeof definePackage>[0]['esbuildPlugins']>[number];

/**
 * Of natural only the stemming rules are wanted. Its stemmers ask for tokenisers and stop-word lists that `stem` never
 * reads (one of them 300 kB); they are left out of the bundle.
 */
const stemmersAlone: Plugin = {
  name: 'stemmers-alone',
  setup(build) {
    build.onResolve({ filter: /stopwords|tokenizers\// }, ({ path, importer }) =>
      importer.includes('natural') ? { path, namespace: 'left-out' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: 'module.exports = class {}; module.exports.words = [];',
      loader: 'js',
    }));
  },
};

/** V8 reads a template in two forms at once: the long texts of the lexicons become plain strings. */
const plainTexts: Plugin = {
  name: 'plain-texts',
  setup({ esbuild, onLoad }) {
    onLoad({ filter: /\/lexicon\/[\w-]+\.ts$/ }, async ({ path }) => {
      const { code } = await esbuild.transform(await readFile(path), { loader: 'ts', supported: { 'template-literal': false } });
      return { contents: code };
    });
  },
};

export default definePackage({
  entry: { index: 'src/index.ts', 'trained/index': 'src/trained/index.ts' },
  platform: 'neutral',
  noExternal: [/^natural/],
  esbuildPlugins: [stemmersAlone, plainTexts],
});
