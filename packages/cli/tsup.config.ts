import { defineConfig } from 'tsup';

const shared = { target: 'node20', platform: 'node', silent: true, removeNodeProtocol: false } as const;

export default defineConfig([
  { ...shared, entry: ['src/index.ts'], format: ['esm', 'cjs'], dts: true, shims: true },
  // The program waits at its top, which only an ES module can.
  { ...shared, entry: ['src/bin.ts'], format: ['esm'] },
]);
