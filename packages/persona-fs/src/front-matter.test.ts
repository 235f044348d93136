import { expect, test } from 'vitest';
import { readYamlMap } from './front-matter.js';

test('a value that holds itself is a problem, not an endless one', () => {
  expect(readYamlMap('persona.yaml', 'hexaco: &a [*a]', 'adaptive_file_invalid')).toMatchObject({
    problem: { code: 'adaptive_file_invalid' },
  });
});

test('a value used twice is read twice', () => {
  expect(readYamlMap('persona.yaml', 'a: &x [1]\nb: *x', 'adaptive_file_invalid')).toEqual({ fields: { a: [1], b: [1] } });
});
