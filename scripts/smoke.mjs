/**
 * Loads every entry of every built package in a fresh Node, once by import and once by require. Each must work, print nothing, leave
 * globals and environment alone, offer the same names both ways and let the process end. `node scripts/smoke.mjs [package...]`.
 */
import { loadFresh, mapLimited } from './lib/processes.mjs';
import { entriesOf, parseArguments, publishedPackages, repositoryRoot } from './lib/workspace.mjs';

const { names } = parseArguments(process.argv.slice(2));
const entries = publishedPackages()
  .filter((one) => names.length === 0 || names.includes(one.name))
  .flatMap(entriesOf);

let failed = 0;
await mapLimited(entries, 2, async ({ specifier }) => {
  const imported = await loadFresh({ cwd: repositoryRoot, specifier, how: 'import' });
  const required = await loadFresh({ cwd: repositoryRoot, specifier, how: 'require' });
  const problems = [imported.problem, required.problem].filter((problem) => problem !== undefined);
  if (problems.length === 0 && imported.names.join() !== required.names.join())
    problems.push(`${specifier}: import and require differ in names`);
  if (problems.length > 0) failed += 1;
  for (const problem of problems) console.log(`FAIL ${problem}`);
  if (problems.length === 0) {
    const [importMs, requireMs] = [imported, required].map((one) => one.ms.toFixed(0));
    console.log(
      `ok   ${specifier.padEnd(22)} import ${importMs.padStart(4)} ms, require ${requireMs.padStart(4)} ms, ${imported.names.length} names`,
    );
  }
});
console.log(`${entries.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
