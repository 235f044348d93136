import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { AgentOS } from '@x/agentos';
import { createScriptedModel } from '@x/testkit';
import { messageOf, tutor } from './lib/personas.mjs';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** Memory of agents that wait, and of one that talks for very long. */
export default async function ({ short, log }) {
  const count = short ? 500 : 10_000;
  const turns = short ? 2_000 : 100_000;
  const model = createScriptedModel(() => 'Yes.', { record: false });
  const agentos = await AgentOS.create({ personas: [tutor], model, features: { metapromptMode: 'local' } });
  const used = () => {
    collect();
    collect();
    return process.memoryUsage().heapUsed / 1e6;
  };
  const start = used();
  for (let user = 0; user < count; user += 1) {
    for await (const _ of agentos.processRequest({ userId: `u${user}`, sessionId: 's', textInput: 'Hello' }));
    if (user % 2_000 === 0) log(`${user} agents`);
  }
  const idle = used() - start;
  // A short run pays the program's own warm-up with few agents; only the whole one has a limit.
  const limit = short ? 100 : 150;
  await agentos.shutdown();

  // The soak keeps its history short, as a host with compaction does, so that only a leak can grow.
  const soak = await AgentOS.create({
    personas: [tutor],
    model,
    features: { metapromptMode: 'local', compaction: { maxTokens: 2_000, summarize: () => 'They talked about functions.' } },
  });
  let warm = 0;
  const talk = async (from, to) => {
    for (let turn = from; turn < to; turn += 1)
      for await (const _ of soak.processRequest({
        userId: `u${turn % 500}`,
        sessionId: `s${Math.floor(turn / 5_000)}`,
        textInput: messageOf(turn),
      }));
  };
  await talk(0, Math.floor(turns / 2));
  warm = used();
  await talk(Math.floor(turns / 2), turns);
  const grown = used() - warm;
  await soak.shutdown();
  return [
    {
      claim: `${count.toLocaleString('en')} idle agents of one turn each fit into memory`,
      figure: `${idle.toFixed(1)} MB of heap`,
      limit: `at most ${limit} MB`,
      pass: idle <= limit,
    },
    {
      claim: `Over ${turns.toLocaleString('en')} turns memory grows with what is stored, not with time`,
      figure: `${grown.toFixed(1)} MB more heap after the second half, ${((grown * 1e6) / (turns / 2)).toFixed(0)} bytes a turn (the in-memory store keeps every operation)`,
      limit: 'at most 10 KB a turn',
      pass: (grown * 1e6) / (turns / 2) <= 10_000,
    },
  ];
}
