// Runs the scripted session from where the file stands, telling each acknowledged turn; its parent kills it at any moment.
import { GMI, systemClock } from '@x/agentos';
import { sqliteStore } from '@x/store/sqlite';
import { createScriptedModel } from '@x/testkit';
import { messageOf, tutor } from './personas.mjs';

const [path, total, delayMs] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const store = sqliteStore({ path });
const model = createScriptedModel(({ messages }) => `Reply to ${String(messages.at(-1)?.content).slice(-12)}`);
const scope = { persona: 'tutor', user: 'anna', session: 's' };
const { history } = await (await store.open(scope)).load('main', { original: true });
let next = history.filter(({ origin }) => origin === 'user').length;
// A minute a turn, so that a run with crashes has the times of one without; work that a crash left belongs to the turn before.
let now = next - 1;
const clock = { now: () => 1_800_000_000_000 + now * 60_000, setTimeout: systemClock.setTimeout };
const gmi = new GMI({ persona: tutor, model, store, metapromptMode: 'local', scope, clock });
await gmi.drain();
process.send?.({ ready: next });
for (; next < total; next += 1) {
  now = next;
  const result = await gmi.processTurn({ content: messageOf(next), id: `turn-${next}` });
  process.send?.({ acknowledged: result.id });
  await gmi.drain();
  if (delayMs > 0) await new Promise((done) => setTimeout(done, delayMs));
}
await gmi.shutdown();
await store.close();
process.send?.({ done: true });
process.disconnect?.();
