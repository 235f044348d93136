import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishedPackages, runtimeClosure } from '../../../scripts/lib/workspace.mjs';

/** What the umbrella costs whoever installs it: disk, and the time of its import in a fresh process above an empty one. */
export default async function ({ short, log }) {
  if (short) return [timed(fileURLToPath(new URL('.', import.meta.url)), 5)];
  const work = mkdtempSync(join(tmpdir(), 'x-installed-'));
  try {
    const all = publishedPackages();
    const umbrella = all.find(({ name }) => name === 'agentos');
    const dependencies = {};
    for (const member of runtimeClosure(umbrella, all)) {
      log(`packing ${member.name}`);
      const packed = npm(['pack', '--json', '--ignore-scripts', '--pack-destination', work], member.directory);
      const [info] = Object.values(JSON.parse(packed));
      dependencies[member.manifest.name] = `file:${join(work, info.filename)}`;
    }
    writeFileSync(join(work, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
    npm(['install', '--no-audit', '--no-fund', '--ignore-scripts', '--omit=peer', '--loglevel=error'], work);
    const bytes = sizeOf(join(work, 'node_modules'));
    return [
      {
        claim: 'The umbrella with all that it brings, optional peers left out, is small on disk',
        figure: `${(bytes / 1e6).toFixed(1)} MB in node_modules: ${readdirSync(join(work, 'node_modules'))
          .filter((name) => !name.startsWith('.'))
          .join(', ')}`,
        limit: 'at most 40 MB',
        pass: bytes <= 40e6,
      },
      timed(work, 20),
    ];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function timed(cwd, runs) {
  const time = (code) => {
    const start = performance.now();
    execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd, stdio: 'ignore' });
    return performance.now() - start;
  };
  const median = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
  time("import '@x/agentos'");
  const [full, empty] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    full.push(time("import '@x/agentos'"));
    empty.push(time(''));
  }
  const above = median(full) - median(empty);
  return {
    claim: "import '@x/agentos' is quick in a fresh process",
    figure: `median ${above.toFixed(0)} ms above an empty process, of ${runs}`,
    limit: 'at most 150 ms',
    pass: above <= 150,
  };
}

const npm = (args, cwd) => execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

function sizeOf(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  return bytes;
}
