import { agents } from '@x/agentos';

const sent: string[] = [];
const sendToTelegram = async (to: string, text: string) => void sent.push(`${to}: ${text}`);

const ava = agents.fromDir('./personas/ava');
const started = agents.startAgent(
  ava,
  { llm: { baseUrl: process.env.TEST_BASE_URL ?? 'https://openrouter.ai/api/v1', style: 'openai', model: 'openai/gpt-4o-mini' } },
  { everyMs: 5 * 60_000 }, // heartbeat still runs alongside inbound traffic
);
const handle = started.runtime.spawn(started.runtime.root, ava.name);
if (handle.error !== undefined) throw new Error(handle.error);

// Your inbound webhook (Telegram/WhatsApp/Slack — the host's transport, not the library's):
async function onInboundMessage(from: string, text: string) {
  started.runtime.post(handle, { from, channel: 'telegram', text }); // land it in the inbox
  const woke = started.runtime.wake(handle, 'You have a new message — read it and respond.');
  if (woke.ok) {
    const r = await started.runtime.wait(handle);
    await sendToTelegram(from, r.text); // route the reply back out
  }
}

await onInboundMessage('anna', 'Hello Ava, what is a loop?');
await onInboundMessage('bob', 'And what is a variable?');
await started.stop();
for (const line of sent) console.log(line.slice(0, 60).replaceAll('\n', ' '));
