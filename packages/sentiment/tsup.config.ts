import { definePackage } from '../../tsup.shared.ts';

export default definePackage({ entry: { index: 'src/index.ts', 'trained/index': 'src/trained/index.ts' }, platform: 'neutral' });
