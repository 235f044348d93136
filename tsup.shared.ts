import { defineConfig, type Options } from 'tsup';

/**
 * One build for every package: ESM and CommonJS with types for both. `splitting` keeps one copy of a class
 * between two entries of a package; `node:` prefixes stay, so that a browser build fails loudly instead of quietly.
 *
 * @param options - At least `entry` and `platform` (`neutral` where the package also runs in a browser).
 */
export function definePackage(options: Options & Required<Pick<Options, 'entry' | 'platform'>>) {
  return defineConfig({
    format: ['esm', 'cjs'],
    dts: true,
    clean: true,
    target: 'node20',
    splitting: true,
    treeshake: true,
    removeNodeProtocol: false,
    silent: true,
    ...options,
    external: [/^node:/, ...(options.external ?? [])],
  });
}
