import { createId, generate, isAgentosError, validateMessages } from '@x/core';
import { openai } from '@x/openai';
import { anthropic } from '@x/openai/anthropic';
import { createFaultScript, createRandom, createVirtualClock, startModelServer } from '@x/testkit';

const tool = (name, field) => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object', properties: field ? { [field]: { type: 'string' } } : {}, ...(field && { required: [field] }) },
});
const tools = [tool('weather', 'city'), tool('clock', 'zone'), tool('cities')];

/** How long nothing must happen before a wait counts as one that only time can end. */
const QUIET_MS = 40;

/**
 * Moves a virtual clock on whenever a conversation can only wait: the server was told to hang, or no request is open
 * because the client pauses before its next try. So the outcome does not depend on how fast the machine is.
 */
async function passTime(server, clock, isOver) {
  let before = '';
  let sinceMs = performance.now();
  while (!isOver()) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const open = server.requests.filter(({ outcome }) => outcome === 'open');
    const now = `${server.requests.length} ${open.length} ${clock.pending} ${clock.nextAtMs}`;
    if (now !== before || open.some(({ fault }) => fault?.kind !== 'hang')) {
      before = now;
      sinceMs = performance.now();
    } else if (performance.now() - sinceMs > QUIET_MS && clock.nextAtMs !== undefined) {
      await clock.advance(clock.nextAtMs - clock.now());
      sinceMs = performance.now();
    }
  }
}

/** Answers by what was asked, so that a repeated request gets the same again. */
function script(_body, { request: { messages } }) {
  const last = messages.at(-1);
  if (last?.role === 'tool') return { text: 'It is done. Fertig. 完成了。🎉' };
  return {
    text: 'I look.',
    reasoning: 'Two of them.',
    toolCalls: [
      { name: 'weather', arguments: { city: 'Zürich' }, id: `w${messages.length}` },
      { name: 'clock', arguments: { zone: 'Europe/Zurich' }, id: `c${messages.length}` },
    ],
  };
}

/** One conversation of three questions; returns what went wrong with the client, and how its turns ended. */
async function converse(seed, unhandled) {
  const faults = createFaultScript(`faults ${seed}`, { length: 64, rate: 0.6 });
  const server = await startModelServer({ script, faults });
  const random = createRandom(`client ${seed}`);
  const make = seed % 4 === 3 ? anthropic : openai;
  const clock = createVirtualClock(0);
  let isOver = false;
  const time = passTime(server, clock, () => isOver);
  const model = make({ model: 'm', baseUrl: server.baseUrl, retries: 2, idleTimeoutMs: 30_000, clock, random });
  const wrong = [];
  const ends = new Map();
  const count = (name) => ends.set(name, (ends.get(name) ?? 0) + 1);
  let history = [{ role: 'system', content: 'You help.' }];
  for (let turn = 0; turn < 3; turn += 1) {
    let running = [...history, { role: 'user', content: `Question ${turn}` }];
    try {
      for (let step = 0; step < 4; step += 1) {
        const { calls, finish, message, text } = await generate(model, { messages: running, tools });
        if (calls.some((call) => call.unparseable === undefined) && (finish === 'length' || finish === 'refused'))
          wrong.push('a cut-off call could run');
        if (new Set(calls.map((call) => call.id)).size < calls.length) wrong.push('two calls share an id');
        for (const call of calls) if (call.unparseable === undefined) JSON.parse(call.function.arguments);
        running = [
          ...running,
          message,
          ...calls.map((call) => ({ role: 'tool', content: call.unparseable ?? 'ok', tool_call_id: call.id })),
        ];
        if (calls.length === 0) {
          if (text === '') wrong.push('an empty answer passed for one');
          break;
        }
      }
      history = running;
      count('answered');
    } catch (error) {
      if (!isAgentosError(error)) wrong.push(`untyped: ${error}`);
      count(error?.code ?? 'untyped');
    }
  }
  isOver = true;
  await time;
  for (const { body } of server.requests) {
    const sent = (body?.messages ?? []).map((entry) => (entry.role === 'system' ? { role: 'system', content: '' } : entry));
    const openaiIssues = body?.max_tokens === 4096 && model.providerId === 'anthropic' ? pairIssues(sent) : validateMessages(sent);
    for (const issue of openaiIssues) wrong.push(issue.code ?? issue);
  }
  await server.close();
  await new Promise((resolve) => setImmediate(resolve));
  if (unhandled.length > 0) wrong.push(`unhandled: ${unhandled.splice(0)[0]}`);
  return { wrong, ends, requests: server.requests.length, id: createId('run', random) };
}

/** Calls of Anthropic's blocks that the next message does not answer, and answers without a call. */
function pairIssues(messages) {
  const issues = [];
  messages.forEach(({ role, content }, index) => {
    const calls = role === 'assistant' ? content.filter((block) => block.type === 'tool_use').map((block) => block.id) : [];
    const results =
      (messages[index + 1]?.content ?? []).filter?.((block) => block.type === 'tool_result').map((block) => block.tool_use_id) ?? [];
    if (role === 'assistant' && calls.sort().join() !== results.sort().join()) issues.push('orphan_pair');
  });
  return issues;
}

/** A thousand conversations over the wire while the server fails by seed; a hundred at a time. */
export default async function ({ short, log }) {
  const unhandled = [];
  process.on('unhandledRejection', (reason) => unhandled.push(reason));
  const total = short ? 40 : 1_000;
  const ends = new Map();
  const wrong = [];
  let requests = 0;
  for (let first = 0; first < total; first += 100) {
    const runs = await Promise.all(
      Array.from({ length: Math.min(100, total - first) }, (_, index) =>
        converse(first + index, unhandled).then((run) => ({ ...run, seed: first + index })),
      ),
    );
    for (const run of runs) {
      requests += run.requests;
      for (const [name, count] of run.ends) ends.set(name, (ends.get(name) ?? 0) + count);
      for (const problem of run.wrong) wrong.push(`seed ${run.seed}: ${problem}`);
    }
    if (first % 200 === 0) log(`${first + runs.length} scripts, ${requests} requests`);
  }
  for (const problem of wrong.slice(0, 5)) log(problem);
  log([...ends].map(([name, count]) => `${name} ${count}`).join(', '));
  const turns = [...ends.values()].reduce((sum, count) => sum + count, 0);
  return [
    {
      claim:
        'Under seeded fault scripts every answer of the client is whole or a typed error, no request holds half a pair, and nothing is left unhandled',
      figure: `${wrong.length} faults in ${total} scripts, ${turns} turns, ${requests} requests; ${ends.get('answered') ?? 0} turns answered, ${ends.size - 1} kinds of error`,
      limit: 'no fault',
      pass: wrong.length === 0 && turns === total * 3 && (ends.get('answered') ?? 0) > 0 && ends.size > 4,
    },
  ];
}
