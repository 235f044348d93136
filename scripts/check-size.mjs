/**
 * Bundles each built entry, minified, without its dependencies, and compares its size after gzip with `sizeBudget` in the package's
 * package.json (`{ ".": bytes, "./sub": bytes }`). `node scripts/check-size.mjs [package...]`.
 */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { entriesOf, parseArguments, publishedPackages } from './lib/workspace.mjs';

const { names } = parseArguments(process.argv.slice(2));
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
let passed = 0;
let failed = 0;

for (const one of publishedPackages().filter(({ name }) => names.length === 0 || names.includes(name))) {
  const { dependencies, peerDependencies, sizeBudget } = one.manifest;
  const external = Object.keys({ ...dependencies, ...peerDependencies }).flatMap((name) => [name, `${name}/*`]);
  for (const { subpath, specifier, file } of entriesOf(one)) {
    const budget = sizeBudget?.[subpath];
    let size;
    try {
      const { outputFiles } = await build({
        entryPoints: [join(one.directory, file)],
        bundle: true,
        minify: true,
        write: false,
        format: 'esm',
        platform: 'node',
        target: 'es2022',
        external,
        logLevel: 'silent',
      });
      size = gzipSync(outputFiles[0].contents, { level: 9 }).length;
    } catch (error) {
      console.log(`FAIL ${specifier}: ${error.message.split('\n', 2).join(' ')}; build first`);
    }
    const fits = size !== undefined && budget !== undefined && size <= budget;
    if (fits) passed += 1;
    else failed += 1;
    if (size === undefined) continue;
    const limit = budget === undefined ? `no sizeBudget for '${subpath}'` : `of ${kilobytes(budget)}`;
    console.log(`${fits ? 'ok  ' : 'FAIL'} ${specifier.padEnd(22)} ${kilobytes(size).padStart(8)} ${limit}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
