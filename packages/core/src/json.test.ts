import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isForbiddenKey, toJson, toStoredJson } from './index.js';
import { toFrozenJson } from './json.js';

test('a JSON value is copied and shares nothing', () =>
  fc.assert(
    fc.property(
      fc.jsonValue().filter((value) => !JSON.stringify(value).includes('"__proto__"')),
      (value) => {
        const copy = toJson(value);
        expect(copy).toEqual(JSON.parse(JSON.stringify(value)));
        if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value);
      },
    ),
  ));

test.each([
  ['undefined', { a: undefined }, '$.a'],
  ['NaN', [1, Number.NaN], '$[1]'],
  ['an infinity', Number.POSITIVE_INFINITY, '$'],
  ['a function', { f: () => 1 }, '$.f'],
  ['a bigint', { n: 1n }, '$.n'],
  ['a date', { at: new Date(0) }, '$.at'],
  ['a map', new Map(), '$'],
  ['a hole', Object.assign([1], { length: 3 }), '$[1]'],
  ['a prototype key', JSON.parse('{"__proto__":{"a":1}}'), '$'],
])('%s is refused with its path', (_name, value, path) => {
  expect(() => toJson(value)).toThrow(expect.objectContaining({ code: 'json_value_invalid', path }));
});

test('a cycle is refused and a value used twice is not', () => {
  const shared = { a: 1 };
  expect(toJson([shared, shared])).toEqual([{ a: 1 }, { a: 1 }]);
  const cycle: { self?: unknown } = {};
  cycle.self = { deeper: cycle };
  expect(() => toJson(cycle)).toThrow(/contains itself/);
});

test('names on the prototype path are known', () => {
  expect(['__proto__', 'constructor', 'prototype', 'toString'].map(isForbiddenKey)).toEqual([true, true, true, false]);
});

test('fields that are undefined are left out where that is asked for, and only fields', () => {
  expect(toStoredJson({ a: undefined, b: [{ c: undefined, d: 1 }] })).toEqual({ b: [{ d: 1 }] });
  expect(() => toStoredJson({ list: [undefined] })).toThrow(expect.objectContaining({ path: '$.list[0]' }));
});

test.each<[string, () => unknown, string]>([
  [
    'an object of 20,000 rows that holds itself',
    () => {
      const rows = Array.from({ length: 20_000 }, (_, index) => ({ index }));
      const all: { rows: unknown; self?: unknown } = { rows };
      all.self = all;
      return all;
    },
    '$.self',
  ],
  ['a list of nothing but holes', () => new Array(4_000_000_000), '$[0]'],
  [
    'a list with one item at its very end',
    () => {
      const list: number[] = [];
      list[4_294_967_290] = 1;
      return list;
    },
    '$[0]',
  ],
])('%s is refused without being copied', (_, make, path) => {
  expect(() => toJson(make())).toThrow(expect.objectContaining({ code: 'json_value_invalid', path }));
});

test('a list that holds itself twice is refused at once', () => {
  const list: unknown[] = [];
  list.push(list, list);
  for (const copy of [toJson, toStoredJson]) expect(() => copy({ journal: [list] })).toThrow(/contains itself/);
});

test('a frozen object is shared where the copy is frozen too, unless it holds what can change or what is not kept', () => {
  const leaf = Object.freeze({ text: 'a', count: 1, gone: null, on: true });
  const list = [leaf, { ...leaf }];
  const copy = toFrozenJson(list) as unknown[];
  expect(copy).toEqual(list);
  expect([copy === list, copy[0] === leaf, copy[1] === list[1]]).toEqual([false, true, false]);
  expect(Object.isFrozen(copy) && copy.every((item) => Object.isFrozen(item))).toBe(true);
  expect(toJson(leaf)).not.toBe(leaf);
  const inner = { n: 1 };
  const holder = Object.freeze({ inner });
  const held = toFrozenJson({ holder }, '$', true) as { holder: { inner: object } };
  expect([held.holder === holder, held.holder.inner === inner]).toEqual([false, false]);
  expect(toFrozenJson(Object.freeze({ a: 1, b: undefined }), '$', true)).toStrictEqual({ a: 1 });
  expect(Object.is((toFrozenJson(Object.freeze({ a: -0 })) as { a: number }).a, 0)).toBe(true);
  const hidden = Object.freeze(Object.defineProperty({ a: 1 }, 'toJSON', { value: () => 2 }));
  expect(JSON.stringify(toFrozenJson(hidden))).toBe('{"a":1}');
  for (const bad of [{ a: Number.NaN }, { a: undefined }, { a: () => 1 }, { a: Symbol('x') }, new Date(0), JSON.parse('{"__proto__":1}')])
    expect(() => toFrozenJson(Object.freeze(bad))).toThrow(expect.objectContaining({ code: 'json_value_invalid' }));
  expect(Object.getPrototypeOf(toFrozenJson(Object.freeze(Object.assign(Object.create(null), { a: 1 }))))).toBe(Object.prototype);
});
