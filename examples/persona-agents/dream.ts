import { readFileSync, writeFileSync } from 'node:fs';
import { agents } from '@x/agentos';

writeFileSync(
  './personas/ava/HEARTBEAT.md',
  `On a heartbeat, review your MEMORY.md section:
- If two entries say the same thing, use the memory tool (action=replace) to merge them
  into one clear entry.
- If an entry is stale or contradicted by a newer one, remove it.
- If nothing needs tidying, reply exactly HEARTBEAT_OK so this beat stays silent.
`,
);
const firstNight = { promise: Promise.resolve(), resolve: () => {} };
firstNight.promise = new Promise((done) => {
  firstNight.resolve = done;
});
const before = readFileSync('./personas/ava/MEMORY.md', 'utf8');

const ava = agents.fromDir('./personas/ava');
// One tick every 24h in the original. A tidy-up beat returns a short summary; a quiet night returns
// HEARTBEAT_OK and surfaces nothing.
const started = agents.startAgent(
  ava,
  { llm: { baseUrl: process.env.TEST_BASE_URL ?? 'https://openrouter.ai/api/v1', style: 'openai', model: 'openai/gpt-4o-mini' } },
  { everyMs: 60, onBeat: (summary) => console.log('consolidated:', summary), onReport: () => firstNight.resolve() },
);
await firstNight.promise;
await started.stop();
console.log(
  'errors:',
  started.errors.length,
  'memory kept:',
  readFileSync('./personas/ava/MEMORY.md', 'utf8').length >= before.length - 200,
);
