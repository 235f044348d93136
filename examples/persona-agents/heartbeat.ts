import { agents } from '@x/agentos';

const sendToTelegram = (text: string) => console.log('telegram:', text);
const ava = agents.fromDir('./personas/ava');
const started = agents.startAgent(
  ava,
  { llm: { baseUrl: process.env.TEST_BASE_URL ?? 'https://openrouter.ai/api/v1', style: 'openai', model: 'openai/gpt-4o-mini' } },
  { everyMs: 60, onBeat: (text) => sendToTelegram(text) }, // only NON-silent beats arrive here; a minute in the original
);
// ... later:
await new Promise((done) => setTimeout(done, 400));
await started.stop();
console.log('beats heard:', started.beats.length, 'errors:', started.errors.length);
