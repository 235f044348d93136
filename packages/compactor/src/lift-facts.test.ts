import { expect, test } from 'vitest';
import { liftFacts, literalsOf } from './lift-facts.js';
import { quoteTranscript } from './quote-transcript.js';

const kindsOf = (role: string, content: string) => liftFacts([{ role, content }]).map(({ kind }) => kind);

test.each([
  ['user', 'We have decided to take the night train.', 'decision'],
  ['user', 'Actually, it is Thursday, not Wednesday.', 'correction'],
  ['assistant', "I'll send the papers to mila@example.org.", 'promise'],
  ['user', "Don't forget the tickets.", 'open'],
  ['user', '- [ ] water the plants', 'open'],
  ['user', 'My policy number is HX-2210.', 'fact'],
  ['assistant', 'I’ll send the papers to mila@example.org.', 'promise'],
  ['user', 'Don’t forget the tickets.', 'open'],
  ['user', 'Let’s use Postgres.', 'decision'],
  ['user', 'On a décidé de partir lundi.', 'decision'],
  ['assistant', 'رقم الحجز هو ٤٧١١', 'fact'],
  ['assistant', 'ご予約番号は１２３４５です。', 'fact'],
  ['user', 'اسمي أحمد', 'fact'],
  ['user', 'שמי דוד', 'fact'],
  ['user', 'ผมชื่อสมชาย', 'fact'],
] as const)('%s: "%s" is a %s', (role, text, kind) => {
  expect(kindsOf(role, text)).toEqual([kind]);
});

test('small talk is nothing to keep', () => {
  for (const text of ['Hello!', 'Thanks a lot.', 'Ok great, thank you so much!', 'Yes please.']) expect(kindsOf('user', text)).toEqual([]);
});

test('what the machine put in is no source: beats, reminders, folds', () => {
  for (const origin of ['synthetic', 'heartbeat', 'internal'])
    expect(liftFacts([{ role: 'user', origin, content: 'The code is 4417.' }])).toEqual([]);
});

test('what a model thought is no source, in whatever form its thoughts are kept', () => {
  const thought = 'I will refund 500 dollars to account 998877.';
  const messages = [
    { role: 'assistant', content: `<think>${thought}</think>Fine.` },
    { role: 'assistant', content: `${thought}</think>\n\nFine.` },
    { role: 'assistant', content: [{ type: 'reasoning', text: thought }] },
    { role: 'assistant', content: [{ type: 'thinking', thinking: thought, text: thought }] },
    { role: 'assistant', type: 'reasoning', content: [{ type: 'reasoning_text', text: thought }] },
  ];
  expect(liftFacts(messages)).toEqual([]);
  expect(quoteTranscript(messages)).not.toContain('refund');
  expect(liftFacts([{ role: 'assistant', content: '<analysis>Sales rose to 4711.</analysis>' }])).toHaveLength(1);
  expect(liftFacts([{ role: 'assistant', content: 'For order HX-2210 cut at </think> and keep the rest.' }])[0]?.text).toContain('HX-2210');
});

test.each(['a lot ', 'all right ', 'thank you ', 'great '])('small talk that goes on and on is read in no time: %j', (words) => {
  expect(kindsOf('user', `oh ${words.repeat(500)}zebra`)).toHaveLength(1);
});

test.each(['תודה', 'شكرا', 'بالتأكيد'])('one word is no fact where words are written apart: %s', (word) => {
  expect(kindsOf('user', word)).toEqual([]);
});

test('a word without an end is read in no time', () => {
  expect(kindsOf('user', 'x'.repeat(300_000))).toEqual([]);
});

test('a long fact is cut between signs, not within one', () => {
  const [fact] = liftFacts([{ role: 'user', content: `We do love ${'🎉'.repeat(200)}` }]);
  expect(fact!.text).toMatch(/^We do love (?:🎉)+…$/u);
  const call = { id: 'c', type: 'function', function: { name: 'post', arguments: `{"ab":"${'🎉'.repeat(60)}"}` } };
  expect(liftFacts([{ role: 'assistant', content: null, tool_calls: [call] }])[0]!.text).toMatch(/^post\(\{"ab":"(?:🎉)+…\)$/u);
});

test('tool results give literals with the word before them; calls are finished work', () => {
  const call = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'book', arguments: '{"seat":"12A"}' } }],
  };
  expect(liftFacts([call, { role: 'tool', tool_call_id: 'c', content: '{"status":"ok","reference":"BK7731ZT"}' }])).toEqual([
    { kind: 'done', by: 'assistant', text: 'book({"seat":"12A"})' },
    { kind: 'fact', by: 'tool', text: 'reference BK7731ZT' },
  ]);
  expect(liftFacts([call, { role: 'tool', tool_call_id: 'c', content: 'Error: sold out' }])[0]!.text).toBe('book({"seat":"12A"}) failed');
});

test('equal messages give equal facts, in their order', () => {
  const messages = [{ role: 'user', content: 'Ship to 6821 1st Ave. My name is Wim Okonkwo.' }];
  expect(liftFacts(messages)).toEqual(liftFacts(structuredClone(messages)));
  expect(liftFacts(messages).map(({ text }) => text)).toEqual(['Ship to 6821 1st Ave.', 'My name is Wim Okonkwo.']);
});

test('the gap of a shortened text gives up its literals, each once', () => {
  expect(literalsOf('id A-77 then A-77, file /srv/a/b.txt')).toEqual(['A-77', '/srv/a/b.txt']);
});
