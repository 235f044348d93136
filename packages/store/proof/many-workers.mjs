import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Two worker processes on one PostgreSQL, killed and paused, with every turn delivered more than once. */
export default async function ({ short, log }) {
  if (short) return { skip: 'two worker processes under kills need minutes; run it whole' };
  const url = process.env.DATABASE_URL;
  if (!url) return { skip: 'DATABASE_URL is not set' };
  let node = process.execPath;
  if (Number(process.versions.node.split('.')[0]) < 22) {
    try {
      node = execFileSync(process.execPath, [here('../../../scripts/node-binary.mjs'), '22'], { encoding: 'utf8' }).trim();
    } catch {
      return { skip: 'pg-boss needs Node 22, and there is none here' };
    }
  }
  const settings = short
    ? { url, agents: 10, turns: 6, kills: 1, pauses: 1, pauseMs: 13_000 }
    : { url, agents: 50, turns: 20, kills: 8, pauses: 4, pauseMs: 14_000 };
  const { stdout } = await promisify(execFile)(node, [here('./lib/many-workers.mjs'), 'drive', JSON.stringify(settings)], {
    maxBuffer: 1 << 26,
    timeout: 840_000,
  });
  const r = JSON.parse(stdout.trim().split('\n').at(-1));
  log(JSON.stringify(r));
  const slowest = Math.max(0, ...r.takeovers);
  const work = `${settings.agents} agents × ${settings.turns} turns, 2 workers, ${settings.kills} kills, ${settings.pauses} pauses of ${settings.pauseMs / 1000} s`;
  return [
    {
      claim: `${work}: every turn is committed once, although each was handed in at least twice`,
      figure: `${r.total - r.lost} of ${r.total}, ${r.doubled} twice; ${r.refused} duplicates refused; ${r.attempts} attempts in ${r.seconds.toFixed(0)} s`,
      limit: 'all, 0 twice',
      // A hand-in that failed after it was kept is refused when it is tried again.
      pass: r.lost === 0 && r.doubled === 0 && r.accepted <= r.total && r.accepted + r.retried >= r.total && r.blocked === 0,
    },
    {
      claim: 'Turns of a lane stand in the order in which they were handed in',
      figure: `${r.disorder} lanes out of order`,
      limit: '0',
      pass: r.disorder === 0,
    },
    {
      claim: 'No two attempts that were kept overlap in a lane, and no turn has two',
      figure: `${r.overlaps} overlaps among ${r.runs} attempts, ${r.bothKept} turns kept twice`,
      limit: '0 and 0',
      pass: r.overlaps === 0 && r.bothKept === 0 && r.runs === r.total,
    },
    {
      claim: 'A tool that may run once never runs twice, and a keyed one keeps its key',
      figure: `${r.repeatedOnce} of ${r.doneOnce} repeated, ${r.keys} changed keys; ${r.redone} idempotent ones were done again`,
      limit: '0 and 0',
      pass: r.repeatedOnce === 0 && r.keys === 0 && r.doneOnce > 0,
    },
    {
      claim: 'A turn of a worker that died or was paused is taken over',
      figure: `${r.takeovers.length} turns, the slowest after ${slowest.toFixed(1)} s`,
      limit: 'at most 12 s',
      pass: r.takeovers.length > 0 && slowest <= 12,
    },
  ];
}
