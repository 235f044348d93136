import { definePackage } from '../../tsup.shared.ts';

export default definePackage({ entry: { index: 'src/index.ts' }, platform: 'node' });
