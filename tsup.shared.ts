import { readFileSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';

type EsbuildPlugin = NonNullable<Options['esbuildPlugins']>[number];
type TsupPlugin = NonNullable<Options['plugins']>[number];

/**
 * Writes characters beyond ASCII as escapes, which mean the same in strings, patterns and names. A file without such
 * characters is read and compiled as one byte a character: a tenth less time for the import of the umbrella.
 */
const ascii: TsupPlugin = {
  name: 'ascii',
  renderChunk(code) {
    // Behind a backslash an escape would mean something else.
    if (/\\[^\0-\x7f]/.test(code)) throw new Error('A backslash stands before a character beyond ASCII: write the character as an escape.');
    const escaped = code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    return { code: escaped };
  },
};

/**
 * Puts a module and all that it imports into one function, which runs when a function of the module is first called. Until
 * then V8 only looks for the end of that function, where it would compile a library's few hundred definitions and run them.
 * What is in it is mostly the library's, so that it is also minified; it goes in last, since esbuild would spread it out again.
 */
function lateModules(modules: readonly RegExp[]): { readonly load: EsbuildPlugin; readonly fill: TsupPlugin } {
  const bodies = new Map<string, string>();
  const load: EsbuildPlugin = {
    name: 'late-modules',
    setup({ esbuild, initialOptions: { target = [], platform = 'neutral', alias = {} }, onLoad }) {
      for (const filter of modules)
        onLoad({ filter }, async ({ path }) => {
          const { outputFiles } = await esbuild.build({
            entryPoints: [path],
            bundle: true,
            write: false,
            minify: true,
            format: 'iife',
            globalName: 'late',
            target,
            platform,
            alias,
            mainFields: ['module', 'main'],
          });
          const body = `LATE_${bodies.size}`;
          bodies.set(body, outputFiles?.[0]?.text ?? '');
          const names = [...readFileSync(path, 'utf8').matchAll(/^export function (\w+)/gm)].map(([, name]) => name);
          const calls = names.map((name) => `export function ${name}(...given) { return (made ??= make()).${name}(...given); }`);
          return { contents: `let made;\nfunction make() { ${body}; return late; }\n${calls.join('\n')}` };
        });
    },
  };
  const fill: TsupPlugin = {
    name: 'late-modules',
    renderChunk: (code) => ({ code: code.replace(/\bLATE_\d+;/g, (statement) => bodies.get(statement.slice(0, -1)) ?? statement) }),
  };
  return { load, fill };
}

/**
 * One build for every package: ESM and CommonJS with types for both. `splitting` keeps one copy of a class
 * between two entries of a package; `node:` prefixes stay, so that a browser build fails loudly instead of quietly.
 *
 * @param options - At least `entry` and `platform` (`neutral` where the package also runs in a browser).
 * @param late - The ends of the paths of modules that run when a function of theirs is first called: what each import brings and
 * few programs call. They export functions alone, and a copy of what they import does no harm: no state, no classes to compare with.
 */
export function definePackage(options: Options & Required<Pick<Options, 'entry' | 'platform'>>, late: readonly RegExp[] = []) {
  const { load, fill } = lateModules(late);
  return defineConfig({
    format: ['esm', 'cjs'],
    dts: true,
    clean: true,
    target: 'node20',
    splitting: true,
    // Without this a chunk is opened for nothing, where only its neighbours need it.
    treeshake: { moduleSideEffects: 'no-external' },
    removeNodeProtocol: false,
    silent: true,
    ...options,
    plugins: [fill, ascii, ...(options.plugins ?? [])],
    esbuildPlugins: [load, ...(options.esbuildPlugins ?? [])],
    external: [/^node:/, ...(options.external ?? [])],
  });
}
