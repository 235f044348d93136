import { expect, test } from 'vitest';
import { assistant, filler, type Message, setUp, user } from '../test/kinds-fixture.js';
import { readFold } from './index.js';

const fold = async () => {
  const { run } = setUp();
  const list = (await run([user('My booking is BK-7731.'), ...filler(14), user('And then?')]))!;
  return [list[0]!.content as string, list] as const;
};
const again = async (messages: Message[]) => (await setUp().run([...messages, assistant('ok'), ...filler(14), user('last')]))!;

test.each<[string, (fold: string) => Message]>([
  ['as one text', (text) => user(`${text}\n\nMy new code is NC-4242.`)],
  [
    'as parts',
    (text) => ({
      role: 'user',
      content: [
        { type: 'text', text },
        { type: 'text', text: 'My new code is NC-4242.' },
      ],
    }),
  ],
  ['as one part', (text) => ({ role: 'user', content: [{ type: 'text', text: `${text}\nMy new code is NC-4242.` }] })],
])('what a client joined to a fold is not lost with it: %s', async (_how, joined) => {
  const [text] = await fold();
  const found = readFold(await again([joined(text)]))!;
  expect(found.revision).toBe(2);
  const texts = found.ledger.map((fact) => fact.text);
  expect(texts).toContain('My booking is BK-7731.');
  expect(texts).toContain('My new code is NC-4242.');
});

test('a question that was joined to a fold is the newest one, and stays', async () => {
  const [text] = await fold();
  const { compact } = setUp({ maxTokens: 300, keepTail: 50 });
  const outcome = await compact.run({ messages: [user(`${text}\n\nWhat is my code, please?`), assistant('It is so. '.repeat(200))] });
  const kept = 'messages' in outcome ? outcome.messages : [user(`${text}\n\nWhat is my code, please?`)];
  expect(JSON.stringify(kept)).toContain('What is my code, please?');
});

test('a fold that was stored with other line ends is read as it was', async () => {
  const [text] = await fold();
  const found = readFold(await again([user(text.replaceAll('\n', '\r\n'))]))!;
  expect(found.revision).toBe(2);
  expect(found.ledger.map((fact) => fact.text)).toContain('My booking is BK-7731.');
  expect(JSON.stringify(found.ledger)).not.toContain('record-');
});
