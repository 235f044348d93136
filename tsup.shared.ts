import { defineConfig, type Options } from 'tsup';

/**
 * Writes characters beyond ASCII as escapes, which mean the same in strings, patterns and names. A file without such
 * characters is read and compiled as one byte a character: a tenth less time for the import of the umbrella.
 */
const ascii: NonNullable<Options['plugins']>[number] = {
  name: 'ascii',
  renderChunk(code) {
    // Behind a backslash an escape would mean something else.
    if (/\\[^\0-\x7f]/.test(code)) throw new Error('A backslash stands before a character beyond ASCII: write the character as an escape.');
    const escaped = code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    return { code: escaped };
  },
};

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
    plugins: [ascii, ...(options.plugins ?? [])],
    external: [/^node:/, ...(options.external ?? [])],
  });
}
