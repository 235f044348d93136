import { definePackage } from '../../tsup.shared.ts';

export default definePackage({
  entry: {
    index: 'src/index.ts',
    'sqlite/index': 'src/sqlite/index.ts',
    'postgres/index': 'src/postgres/index.ts',
    'pg-boss/index': 'src/pg-boss/index.ts',
  },
  platform: 'node',
});
