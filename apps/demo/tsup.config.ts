import { defineConfig } from 'tsup';

export default defineConfig({ entry: ['src/index.ts'], format: ['esm'], clean: true, target: 'node20', platform: 'node', silent: true });
