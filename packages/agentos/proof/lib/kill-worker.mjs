// Runs the scripted session from where the file stands, telling each acknowledged turn; its parent kills it at any moment.
import { GMI } from '@x/agentos';
import { sqliteStore } from '@x/store/sqlite';
import { createScriptedModel } from '@x/testkit';
import { messageOf, tutor } from './personas.mjs';

const [path, total, delayMs] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const store = sqliteStore({ path });
const model = createScriptedModel(({ messages }) => `Reply to ${String(messages.at(-1)?.content).slice(-12)}`);
const gmi = new GMI({ persona: tutor, model, store, metapromptMode: 'local', scope: { persona: 'tutor', user: 'anna', session: 's' } });
await gmi.drain();
const history = await (await gmi.session()).history({ original: true });
let next = history.filter(({ origin }) => origin === 'user').length;
process.send?.({ ready: next });
for (; next < total; next += 1) {
  const result = await gmi.processTurn({ content: messageOf(next), id: `turn-${next}` });
  process.send?.({ acknowledged: result.id });
  await gmi.drain();
  if (delayMs > 0) await new Promise((done) => setTimeout(done, delayMs));
}
await gmi.shutdown();
await store.close();
process.send?.({ done: true });
process.disconnect?.();
