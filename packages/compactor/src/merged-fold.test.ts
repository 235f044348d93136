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
  const { compact } = setUp({ keepTail: 50 });
  const talk = filler(12).map((message) => (message.role === 'user' ? { ...message, origin: 'heartbeat' } : message));
  const outcome = await compact.run({ messages: [user(`${text}\n\nWhat is my code, please?`), ...talk] });
  if (!('messages' in outcome)) throw new Error(`nothing was folded: ${JSON.stringify(outcome)}`);
  expect(outcome.messages.map(({ content }) => content)).toContain('What is my code, please?');
});

const joined = async (more: object = {}) => user(`${(await fold())[0]}\n\nAnd then?`, more);

test('a list that opens with a joined fold is counted once, then only what is new in it', async () => {
  let counted = 0;
  const countTokens = (messages: readonly object[]) => {
    counted += messages.length;
    return 1;
  };
  const { run } = setUp({ maxTokens: 100_000, countTokens });
  const messages = [await joined(), ...filler(1_000)];
  await run(messages);
  counted = 0;
  await run([...messages, assistant('Well.')]);
  expect(counted).toBeLessThan(5);
});

test('a joined fold that is written on in place is read anew', async () => {
  const { run } = setUp({ maxTokens: 700, keepTail: 50 });
  const message = await joined();
  await run([message]);
  message.content += ' My new code is NC-4242.';
  const list = (await run([message, ...filler(14), user('last')]))!;
  expect(readFold(list)!.ledger.map((fact) => fact.text)).toContainEqual(expect.stringContaining('NC-4242'));
});

test('what a provider counted binds for a list that opens with a joined fold', async () => {
  const { compact } = setUp({ maxTokens: 2_000 });
  const messages = [await joined(), ...filler(14), user('last')];
  expect(await compact.run({ messages })).toMatchObject({ status: 'unchanged', reason: 'fits' });
  expect((await compact.run({ messages, usage: { inputTokens: 2_100, of: messages } })).status).toBe('folded');
});

test.each([
  ['its own', 'm1'],
  ['no', undefined],
])('a turn in flight that begins with a joined fold is kept whole: with %s id', async (_how, id) => {
  const input = await joined({ id });
  const { compact } = setUp({ keepTail: 50 });
  const messages = [input, assistant('Hm.'), ...filler(13)];
  const outcome = await compact.run({ messages, context: { input, trace: () => {} } as never });
  expect(outcome).toMatchObject({ status: 'over_budget', irreducible: 'turn' });
});

test('a fold that was stored with other line ends is read as it was', async () => {
  const [text] = await fold();
  const found = readFold(await again([user(text.replaceAll('\n', '\r\n'))]))!;
  expect(found.revision).toBe(2);
  expect(found.ledger.map((fact) => fact.text)).toContain('My booking is BK-7731.');
  expect(JSON.stringify(found.ledger)).not.toContain('record-');
});

test('what a client puts into the list of a joined fold later is not lost with it', async () => {
  const [text] = await fold();
  const parts = [
    { type: 'text', text },
    { type: 'text', text: 'First question?' },
  ];
  const joined: Message = { role: 'user', content: parts };
  const { run } = setUp();
  await run([joined, assistant('ok'), ...filler(14), user('last')]);
  parts.push({ type: 'text', text: 'My new code is NC-4242.' });
  const found = readFold((await run([joined, assistant('ok'), ...filler(20), user('and now?')]))!)!;
  expect(found.ledger.map((fact) => fact.text)).toContain('My new code is NC-4242.');
});
