import { definePackage } from '../../tsup.shared.ts';

export default definePackage({ entry: { index: 'src/index.ts', 'anthropic/index': 'src/anthropic/index.ts' }, platform: 'node' });
