import { agents, estimateTokens } from '@x/agentos';

const summarize = async (older: readonly unknown[]) => `${older.length} earlier messages about whales.`;
const researcher = agents.agent('researcher', {
  does: 'digs through long documents',
  soul: 'You are a careful researcher.',
  hooks: { beforeLLM: agents.compactor({ maxTokens: 60_000, summarize }) },
});

const result = await researcher.run('What do whales eat?', {
  llm: { baseUrl: process.env.TEST_BASE_URL ?? 'https://openrouter.ai/api/v1', style: 'openai', model: 'openai/gpt-4o-mini' },
});
console.log(result.status, result.turns, estimateTokens([{ role: 'user', content: result.text }]) > 0);
