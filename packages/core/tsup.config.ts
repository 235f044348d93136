import { definePackage } from '../../tsup.shared.ts';

export default definePackage({
  entry: { index: 'src/index.ts', 'schema/index': 'src/schema/index.ts', 'contracts/index': 'src/contracts/index.ts' },
  platform: 'neutral',
  // One file instead of a hundred: opening zod's own was most of what an import of the umbrella took.
  noExternal: ['zod'],
});
