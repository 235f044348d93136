import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineProject } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Each `@x/<package>` and subpath, mapped to its source file: tests need no build. Read from the packages' own `exports`. */
export const sourceAliases: { find: RegExp; replacement: string }[] = readdirSync(`${root}packages`)
  .filter((name) => existsSync(`${root}packages/${name}/package.json`))
  .flatMap((name) => {
    const manifest = JSON.parse(readFileSync(`${root}packages/${name}/package.json`, 'utf8'));
    return Object.entries<unknown>(manifest.exports ?? {}).flatMap(([subpath, target]) => {
      const file = (target as { import?: { default?: string } }).import?.default;
      if (file === undefined) return [];
      const source = `${root}packages/${name}/${file.replace('./dist/', 'src/').replace(/\.js$/, '.ts')}`;
      const specifier = subpath === '.' ? manifest.name : `${manifest.name}${subpath.slice(1)}`;
      return [{ find: new RegExp(`^${specifier}$`), replacement: source }];
    });
  });

/** Test settings of one package; `name` is the project name for `vitest run --project <name>`. */
export function definePackageTests(name: string) {
  return defineProject({
    resolve: { alias: sourceAliases },
    test: {
      name,
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      typecheck: {
        enabled: process.env['TYPE_TESTS'] === '1',
        ignoreSourceErrors: true,
        include: ['src/**/*.test-d.ts', 'test/**/*.test-d.ts'],
      },
      benchmark: { include: ['bench/**/*.bench.ts'] },
    },
  });
}
