import { definePackage } from '../../tsup.shared.ts';

/**
 * Of natural only the stemming rules are wanted. Its stemmers ask for tokenisers and stop-word lists that `stem` never
 * reads (one of them 300 kB); they are left out of the bundle.
 */
const stemmersAlone = {
  name: 'stemmers-alone',
  setup(build: {
    onResolve(
      on: { filter: RegExp },
      run: (found: { path: string; importer: string }) => { path: string; namespace: string } | undefined,
    ): void;
    onLoad(on: { filter: RegExp; namespace: string }, run: () => { contents: string; loader: 'js' }): void;
  }) {
    build.onResolve({ filter: /stopwords|tokenizers\// }, ({ path, importer }) =>
      importer.includes('natural') ? { path, namespace: 'left-out' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: 'module.exports = class {}; module.exports.words = [];',
      loader: 'js',
    }));
  },
};

export default definePackage({
  entry: { index: 'src/index.ts', 'trained/index': 'src/trained/index.ts' },
  platform: 'neutral',
  noExternal: [/^natural/],
  esbuildPlugins: [stemmersAlone],
});
