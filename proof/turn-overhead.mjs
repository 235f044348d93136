// What a turn costs beside a bare loop over the openai package and beside other agent libraries: same server, same two tools.
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const PEERS = here('../bench/peers');
const OURS = ['bare', 'runtime', 'adaptive'];
const RIVALS = ['ai-sdk', 'langchain', 'openai-agents'];

/** Starts a process and waits for its first message. */
function start(file, args = []) {
  const child = fork(here(file), args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // A proof that fails half-way must not leave a server behind that keeps its own starter waiting.
  process.on('exit', () => child.kill());
  const next = () =>
    new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', (code) => reject(new Error(`${file} ${args[0] ?? ''} ended with ${code}`)));
    });
  return { child, next };
}

const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const median = (values) => quantile(values, 0.5);

export default async function ({ short, log }) {
  const rounds = short ? 20 : 120;
  const warmUp = short ? 5 : 100;
  const server = start('./lib/overhead-server.mjs');
  const { baseUrl } = await server.next();
  const withRivals = existsSync(`${PEERS}/node_modules/ai`);
  const names = [...OURS, ...(withRivals ? RIVALS : [])];
  const contestants = new Map();
  for (const name of names) {
    const contestant = start('./lib/overhead-turn.mjs', [name, baseUrl, PEERS]);
    await contestant.next();
    contestants.set(name, { ...contestant, ms: [], openMs: [], cpuMs: [], rssMb: 0 });
  }
  const faults = [];
  for (let round = 0; round < warmUp + rounds; round += 1) {
    if (round % 30 === 0) log(`round ${round} of ${warmUp + rounds}`);
    // Each round starts with another contestant, so that none always runs on a warm or a cold server.
    const order = names.map((_, index) => names[(index + round) % names.length]);
    for (const name of order) {
      const contestant = contestants.get(name);
      const answer = contestant.next();
      contestant.child.send('turn');
      const { ms, openMs, cpuMs, problem, rssMb } = await answer;
      if (problem) faults.push(`${name}: ${problem}`);
      contestant.rssMb = rssMb;
      if (round < warmUp) continue;
      contestant.ms.push(ms);
      if (openMs !== undefined) contestant.openMs.push(openMs);
      contestant.cpuMs.push(cpuMs);
    }
  }
  for (const { child } of contestants.values()) child.send('stop');
  server.child.send('stop');

  const bare = contestants.get('bare').ms;
  // Paired by round: what the machine does to one turn of a round it does to its neighbours.
  const over = (name) => median(contestants.get(name).ms.map((ms, index) => ms - bare[index]));
  const line = (name) => {
    const { ms, cpuMs, rssMb } = contestants.get(name);
    return `${name} p50 ${median(ms).toFixed(2)} ms (${over(name) >= 0 ? '+' : ''}${over(name).toFixed(2)} ms), p95 ${quantile(ms, 0.95).toFixed(2)} ms, CPU ${median(cpuMs).toFixed(2)} ms, peak ${rssMb.toFixed(0)} MB`;
  };
  for (const name of names) log(line(name));
  const claims = [
    {
      claim: 'Every measured turn made two model calls and ran both tools',
      figure: faults.length === 0 ? `${names.length * (warmUp + rounds)} turns` : `${faults.length} faults, the first: ${faults[0]}`,
      limit: 'no fault',
      pass: faults.length === 0,
    },
    {
      claim: 'With adaptation on, a turn takes at most 1 ms more than a bare loop over the openai package (p50, paired, interleaved)',
      figure: `${line('adaptive')}; ${line('runtime')}; ${line('bare')}; N = ${rounds}; opening the adaptive session before it ${median(contestants.get('adaptive').openMs).toFixed(2)} ms`,
      limit: 'at most +1.00 ms',
      pass: over('adaptive') <= 1,
    },
  ];
  if (!withRivals)
    return [...claims, { claim: 'Rivals', figure: 'not installed: npm ci --prefix bench/peers', limit: 'installed', pass: short }];
  const rivals = RIVALS.map((name) => ({ name, over: over(name), rssMb: contestants.get(name).rssMb }));
  const fastest = Math.min(...rivals.map((rival) => rival.over));
  const leanest = Math.min(...rivals.map((rival) => rival.rssMb));
  return [
    ...claims,
    {
      claim: 'With adaptation on, a turn is faster than one of the AI SDK, LangChain.js and @openai/agents (p50)',
      figure: RIVALS.map(line).join('; '),
      limit: `below the fastest rival, +${fastest.toFixed(2)} ms`,
      pass: over('adaptive') < fastest,
    },
    {
      claim: 'Peak memory is not above that of the leanest rival',
      figure: `${contestants.get('adaptive').rssMb.toFixed(0)} MB`,
      limit: `${leanest.toFixed(0)} MB`,
      pass: contestants.get('adaptive').rssMb <= leanest,
    },
  ];
}
