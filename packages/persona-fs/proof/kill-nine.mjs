/** Writers are killed at random moments while others go on; the file is never torn or empty, and no acknowledged entry is missing. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded } from './lib/random.mjs';
import { startWriter } from './lib/start-writer.mjs';

const WRITERS = 3;
/** Kills that share a directory, so that each writer meets what the dead ones left behind. */
const KILLS_PER_DIR = 50;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function inspect(dir, promised) {
  let text = '';
  try {
    text = readFileSync(join(dir, 'MEMORY.md'), 'utf8');
  } catch {
    text = '';
  }
  const lines = text.split('\n');
  const torn = text !== '' && (lines.pop() !== '' || lines.some((line) => !/^- fact w\d+-\d+ of the trial$/.test(line)));
  const present = new Set(lines);
  return { torn, empty: text === '' && promised.length > 0, missing: promised.filter((entry) => !present.has(entry)).length };
}

export default async function ({ short, log }) {
  const kills = short ? 20 : 500;
  const random = seeded(7);
  const sum = { torn: 0, empty: 0, missing: 0, acknowledged: 0, unheard: 0 };
  const started = performance.now();
  let number = 0;
  for (let killed = 0; killed < kills; ) {
    const dir = mkdtempSync(join(tmpdir(), 'persona-proof-'));
    const everyone = [];
    const recruit = () => {
      const name = `w${number++}`;
      const starting = startWriter({ dir, name, count: 1_000_000, atOnce: 1 + random.below(6), maxBytes: 50_000_000 }).then((writer) => {
        everyone.push(writer);
        writer.go(0);
        return writer;
      });
      return starting;
    };
    let team = Array.from({ length: WRITERS }, recruit);
    const promised = () =>
      everyone.flatMap(({ name, acknowledged }) => acknowledged.map((index) => `- fact ${name}-${index} of the trial`));
    const look = () => {
      // What was acknowledged before the file is read must be in it.
      const { torn, empty, missing } = inspect(dir, promised());
      sum.torn += Number(torn);
      sum.empty += Number(empty);
      sum.missing += missing;
    };
    for (let index = 0; index < KILLS_PER_DIR && killed < kills; index += 1) {
      const victim = await team.shift();
      team.push(recruit());
      // Most die while they write; some before they were ever heard.
      const waits = random.below(5) > 0;
      for (const until = performance.now() + 20_000; waits && victim.acknowledged.length === 0 && performance.now() < until; )
        await pause(1);
      await pause(random.next() * 40);
      victim.child.kill('SIGKILL');
      await victim.closed;
      killed += 1;
      if (victim.acknowledged.length === 0) sum.unheard += 1;
      look();
      if (killed % 50 === 0) log(`${killed} kills, ${sum.acknowledged + promised().length} entries acknowledged`);
    }
    for (const starting of team) {
      const { child, closed } = await starting;
      child.kill('SIGKILL');
      await closed;
    }
    team = [];
    look();
    sum.acknowledged += promised().length;
    rmSync(dir, { recursive: true, force: true });
  }
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  return [
    {
      claim: `${kills} writers of ${WRITERS} at a time are killed with signal 9 at random moments: the file is never torn or empty`,
      figure: `${sum.torn} torn, ${sum.empty} empty`,
      limit: '0 and 0',
      pass: sum.torn + sum.empty === 0,
    },
    {
      claim: 'Nothing acknowledged is lost',
      figure: `${sum.missing} of ${sum.acknowledged} missing (${sum.unheard} of the killed had nothing acknowledged yet); ${seconds} s`,
      limit: '0',
      pass: sum.missing === 0 && sum.acknowledged > kills,
    },
  ];
}
