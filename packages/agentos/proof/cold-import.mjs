import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How long `import '@x/agentos'` takes in a fresh process, above an empty one. */
export default async function ({ short }) {
  const runs = short ? 5 : 20;
  const here = fileURLToPath(new URL('.', import.meta.url));
  const time = (code) => {
    const start = performance.now();
    execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: here, stdio: 'ignore' });
    return performance.now() - start;
  };
  const differences = [];
  time("import '@x/agentos'");
  for (let run = 0; run < runs; run += 1) differences.push(time("import '@x/agentos'") - time(''));
  const median = differences.sort((a, b) => a - b)[Math.floor(runs / 2)];
  return [
    {
      claim: "import '@x/agentos' is quick in a fresh process",
      figure: `median ${median.toFixed(0)} ms above an empty process, of ${runs}`,
      limit: 'at most 150 ms',
      pass: median <= 150,
    },
  ];
}
