import { agents } from '@x/agentos';

const sendToTelegram = (text: string) => console.log('telegram:', text);
const firstBeat = { promise: Promise.resolve(), resolve: () => {} };
firstBeat.promise = new Promise((done) => {
  firstBeat.resolve = done;
});
const ava = agents.fromDir('./personas/ava');
const started = agents.startAgent(
  ava,
  { llm: { baseUrl: process.env.TEST_BASE_URL ?? 'https://openrouter.ai/api/v1', style: 'openai', model: 'openai/gpt-4o-mini' } },
  // Only NON-silent beats arrive at onBeat; a minute in the original. onReport hears of every beat.
  { everyMs: 60, onBeat: (text) => sendToTelegram(text), onReport: () => firstBeat.resolve() },
);
// ... later:
await firstBeat.promise;
await started.stop();
console.log('beats heard:', started.beats.length, 'errors:', started.errors.length);
