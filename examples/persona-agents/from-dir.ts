import { agents } from '@x/agentos';

const ava = agents.fromDir('./personas/ava'); // reads SOUL/USER/HEARTBEAT/MEMORY.md, wires `memory`
const r = await ava.run("What's on my plate today?", {
  llm: { baseUrl: process.env.TEST_BASE_URL ?? 'https://openrouter.ai/api/v1', style: 'openai', model: 'openai/gpt-4o-mini' },
});
console.log(r.status, r.text);
