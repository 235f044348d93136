import { agents, createClient, createToolkit } from '@x/agentos';

let folds = 0;
const summariseWithCheapModel = async (older: readonly { content: unknown }[]) => {
  folds += 1;
  return `The user and the assistant exchanged ${older.length} messages about the plan for the trip to Oslo.`;
};
const compact = agents.compactor({
  maxTokens: 1_200, // compact once the estimate crosses this; 120,000 in the original
  keepTail: 400, // always keep this much recent context verbatim
  summarize: async (older) => summariseWithCheapModel(older), // MAY call a small model
});

const client = createClient({
  baseUrl: process.env.TEST_BASE_URL ?? 'https://openrouter.ai/api/v1',
  style: 'openai',
  model: 'openai/gpt-4o-mini',
  hooks: { beforeLLM: compact }, // the one seam compaction rides
});

const toolkit = await createToolkit();
for (let n = 1; n <= 12; n += 1) {
  await client.ask(
    `Note ${n}: my booking code is OSL-${1000 + n}. ${'The hotel is near the harbour and the train leaves early. '.repeat(4)}`,
    { toolkit, id: 'trip' },
  );
}
const last = await client.ask('Thanks, that is all for now.', { toolkit, id: 'trip' });
console.log(last.status, 'folds:', folds > 0);
await client.close();
