import { definePackage } from '../../tsup.shared.ts';

export default definePackage({ entry: { index: 'src/index.ts', 'node/index': 'src/node/index.ts' }, platform: 'neutral' });
