// Seeded faults on the wire: whatever a provider does, a turn ends in a typed result, and no request holds half a pair.
import { createMemoryStore, isAgentosError, validateMessages } from '@x/core';
import { openai } from '@x/openai';
import { openLane } from '@x/runtime';
import { createFaultScript, createRandom, startModelServer } from '@x/testkit';

const TURNS = 3;
const tool = (name) => ({
  name,
  description: `${name} something`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  execute({ text }) {
    if (name === 'fail') throw new Error('this tool always fails');
    return `${name}: ${text}`;
  },
});

/** An answer by chance: text, or one to three calls, some of them of no known tool. */
function scriptOf(seed) {
  const random = createRandom(`script ${seed}`);
  const pick = (list) => list[Math.floor(random() * list.length)];
  return () => {
    if (random() < 0.5) return { text: pick(['Done.', 'Grüße – ✓ 漢字', 'a '.repeat(200)]) };
    const calls = Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
      name: pick(['echo', 'fail', 'nobody']),
      arguments: pick([{ text: 'x' }, { text: '漢字 "quoted"' }, '{"text": "cut', '', '[]']),
    }));
    return { text: random() < 0.3 ? 'I look it up.' : undefined, toolCalls: calls };
  };
}

async function runSeed(seed, found) {
  const server = await startModelServer({ script: scriptOf(seed), faults: createFaultScript(seed, { length: 64, rate: 0.4 }) });
  try {
    const model = openai({
      model: 'testkit',
      baseUrl: server.baseUrl,
      retries: 1,
      timeoutMs: 4000,
      idleTimeoutMs: 300,
      maxRetryAfterMs: 50,
      random: () => 0,
    });
    const lane = await openLane({ store: createMemoryStore(), scope: { persona: 'p', user: 'u', session: String(seed) } });
    const session = lane.session({ model, tools: ['echo', 'fail'].map(tool), stable: { system: 'Be brief.' }, budgets: { maxSteps: 6 } });
    for (let turn = 0; turn < TURNS; turn += 1) {
      try {
        const { status } = await session.ask(`question ${turn}`);
        found.results[status] = (found.results[status] ?? 0) + 1;
      } catch (error) {
        if (!isAgentosError(error)) found.untyped.push(`seed ${seed}: ${error}`);
        found.errors[error.code] = (found.errors[error.code] ?? 0) + 1;
      }
      found.turns += 1;
    }
    for (const { body } of server.requests) {
      found.requests += 1;
      for (const issue of validateMessages(body?.messages ?? [])) found.orphans.push(`seed ${seed}: ${issue.code}`);
    }
    for (const issue of validateMessages(await session.history())) found.orphans.push(`seed ${seed}, stored: ${issue.code}`);
    await lane.close({ timeoutMs: 0 });
  } finally {
    await server.close();
  }
}

export default async function ({ short, log }) {
  const seeds = short ? 60 : 1000;
  const found = { turns: 0, requests: 0, results: {}, errors: {}, untyped: [], orphans: [], unhandled: [] };
  const unhandled = (reason) => found.unhandled.push(String(reason));
  process.on('unhandledRejection', unhandled);
  const waiting = Array.from({ length: seeds }, (_, seed) => seed + 1);
  const worker = async () => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      if (seed % 100 === 0) log(`script ${seed} of ${seeds}`);
      await runSeed(seed, found);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  await new Promise((resolve) => setTimeout(resolve, 200));
  process.off('unhandledRejection', unhandled);
  const count = (record) =>
    Object.entries(record)
      .map(([name, times]) => `${name} ${times}`)
      .join(', ');
  return [
    {
      claim: 'Every turn under seeded faults ends in a result or in an error with a code',
      figure: `${seeds} scripts, ${found.turns} turns: ${count(found.results)}; ${count(found.errors)}; ${found.untyped.length} untyped${found.untyped[0] ? `, the first: ${found.untyped[0]}` : ''}`,
      limit: '0 untyped',
      pass: found.untyped.length === 0 && found.turns === seeds * TURNS,
    },
    {
      claim: 'No request and no stored transcript holds a call without its result or a result without its call',
      figure: `${found.requests} requests, ${found.orphans.length} faults${found.orphans[0] ? `, the first: ${found.orphans[0]}` : ''}`,
      limit: '0 faults',
      pass: found.orphans.length === 0 && found.requests > seeds,
    },
    {
      claim: 'No rejection goes unhandled',
      figure: `${found.unhandled.length}${found.unhandled[0] ? `, the first: ${found.unhandled[0]}` : ''}`,
      limit: '0',
      pass: found.unhandled.length === 0,
    },
  ];
}
