import { expect, test } from 'vitest';
import { liftFacts, literalsOf } from './lift-facts.js';

const kindsOf = (role: string, content: string) => liftFacts([{ role, content }]).map(({ kind }) => kind);

test.each([
  ['user', 'We have decided to take the night train.', 'decision'],
  ['user', 'Actually, it is Thursday, not Wednesday.', 'correction'],
  ['assistant', "I'll send the papers to mila@example.org.", 'promise'],
  ['user', "Don't forget the tickets.", 'open'],
  ['user', '- [ ] water the plants', 'open'],
  ['user', 'My policy number is HX-2210.', 'fact'],
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
