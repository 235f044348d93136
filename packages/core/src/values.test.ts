import { expect, test } from 'vitest';
import { freezeDeep, hashText, jsonObject, nearestWord, ownValue } from './index.js';

test('a record gives its own values, not those of its prototype', () => {
  expect(ownValue<unknown>({ a: 1 }, 'a')).toBe(1);
  expect(ownValue<unknown>({}, 'toString')).toBeUndefined();
});

test('only an object reads as an object', () => {
  expect(jsonObject({ a: 1 })).toEqual({ a: 1 });
  for (const value of [undefined, null, 1, 'a', [1]]) expect(jsonObject(value)).toEqual({});
});

test('freezing goes to the bottom, through shells that are frozen already, shared parts and cycles', () => {
  const shared = { list: [{ deep: 1 }] };
  const value: { [key: string]: unknown } = { shell: Object.freeze({ inner: { a: 1 } }), shared, again: shared, bytes: new Uint8Array(1) };
  value['self'] = value;
  expect(freezeDeep(value)).toBe(value);
  expect([value, (value['shell'] as { inner: object }).inner, shared.list, shared.list[0]].every(Object.isFrozen)).toBe(true);
  expect(freezeDeep(1)).toBe(1);
  expect(freezeDeep(null)).toBeNull();
});

test('equal texts have equal hashes of 16 digits, other texts others', () => {
  expect(hashText('a')).toMatch(/^[0-9a-f]{16}$/);
  expect(hashText('a')).toBe(hashText('a'));
  expect(new Set(['', 'a', 'b', 'ab', 'ba'].map(hashText)).size).toBe(5);
});

test('a slip is led to the nearest known word, a foreign word to none', () => {
  expect(nearestWord('frustratd', ['neutral', 'frustrated'])).toBe('frustrated');
  expect(nearestWord('xylophone', ['neutral', 'frustrated'])).toBeUndefined();
  expect(nearestWord('a', [])).toBeUndefined();
});
