import { expect, test } from 'vitest';
import { readArguments } from './arguments.js';

test('options that would do nothing are refused', () => {
  expect(() => readArguments(['--db', 'x.sqlite'])).toThrow('--inspect');
  expect(() => readArguments(['--chat', '--inspect'])).toThrow('Choose one');
  expect(() => readArguments(['--persnoa', 'ava'])).toThrow('--persnoa');
  expect(readArguments(['--inspect', '--db', 'x.sqlite', '--persona', 'ava'])).toMatchObject({
    inspect: true,
    db: 'x.sqlite',
    persona: 'ava',
  });
});
