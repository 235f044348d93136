import { definePackage } from '../../tsup.shared.ts';

export default definePackage(
  {
    entry: { index: 'src/index.ts', 'schema/index': 'src/schema/index.ts', 'contracts/index': 'src/contracts/index.ts' },
    platform: 'neutral',
  },
  // zod comes inside of them: one file instead of a hundred.
  [/persona-shape\.ts$/, /convert-schema\.ts$/],
);
