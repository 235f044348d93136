import { agents, createClient, createToolkit } from '@x/agentos';

const summariseWithCheapModel = async (older: readonly unknown[]) => `${older.length} earlier messages.`;

const dir = './personas/ava';
const { soul } = agents.composeSoul(dir); // identity + durable MEMORY.md, frozen for the session
const tk = await createToolkit(); // shell/file built-ins …
tk.register(agents.memoryTool(dir)); // … plus the memory builtin

const ava = createClient({
  baseUrl: process.env.TEST_BASE_URL ?? 'https://openrouter.ai/api/v1',
  style: 'openai',
  model: 'openai/gpt-4o-mini',
  systemPrompt: soul,
  hooks: {
    beforeLLM: agents.compactor({
      maxTokens: 120_000,
      keepTail: 40_000,
      flushToMemory: true, // save durable facts to MEMORY.md BEFORE summarizing
      summarize: async (older) => summariseWithCheapModel(older),
    }),
  },
});

// Weeks of turns keyed by one stable id: the transcript self-compacts, MEMORY.md keeps growing.
const first = await ava.ask('Please remember that I prefer dark roast coffee.', { toolkit: tk, id: 'ava' });
const second = await ava.ask('What is on my plate today?', { toolkit: tk, id: 'ava' });
console.log(first.status, second.status, first.toolCalls.map(({ name }) => name).join(','));
await ava.close();
