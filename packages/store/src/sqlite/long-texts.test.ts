import { freezeDeep, INITIAL_STATE, type Json } from '@x/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLongTexts } from './long-texts.js';

const long = (text: string): Json => freezeDeep({ text: text.padEnd(600, 'x') });

test('a long value has the same text in the state, with each of its keys around it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.string(), (values, key, text) => {
      fc.pre(key !== '__proto__' && !Object.hasOwn(values, '__proto__'));
      const texts = createLongTexts();
      const value = long(text);
      expect(texts.put(key, value)).toBe(JSON.stringify(value));
      const state = { ...INITIAL_STATE, values: { ...(values as { [name: string]: Json }), [key]: value } };
      const parts = texts.ofState(state);
      expect(parts.join('')).toBe(JSON.stringify(state));
      expect(parts[1]).toBe(JSON.stringify(value));
    }),
  );
});

test('the text is remembered for the very object that was put last, and for none that may change', () => {
  const texts = createLongTexts();
  const first = long('first');
  const second = long('second');
  texts.put('a', first);
  texts.put('a', second);
  expect(texts.of('a', first)).toBe(JSON.stringify(first));
  expect(texts.ofState({ ...INITIAL_STATE, values: { a: first } })).toEqual([
    JSON.stringify({ ...INITIAL_STATE, values: { a: first } }),
    '',
    '',
  ]);
  const open = { text: 'x'.repeat(600) };
  texts.put('b', open);
  open.text = 'changed';
  expect(texts.of('b', open)).toBe('{"text":"changed"}');
});

test('a state that holds the very mark of the gap is written whole', () => {
  const texts = createLongTexts();
  const value = long('');
  texts.put('a', value);
  const gap = '\u0000 a long value \u0000';
  for (const values of [
    { a: value, b: gap },
    { b: gap, a: value },
    { b: { c: [gap] }, a: value },
  ]) {
    const state = { ...INITIAL_STATE, values };
    expect(texts.ofState(state).join('')).toBe(JSON.stringify(state));
  }
});
