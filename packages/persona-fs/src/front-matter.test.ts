import { expect, test } from 'vitest';
import { splitFrontMatter } from './front-matter.js';
import { readYamlMap } from './read-yaml-map.js';

test('a value that holds itself is a problem, not an endless one', () => {
  expect(readYamlMap('persona.yaml', 'hexaco: &a [*a]', 'adaptive_file_invalid')).toMatchObject({
    problem: { code: 'adaptive_file_invalid' },
  });
});

test('a value used twice is read twice', () => {
  expect(readYamlMap('persona.yaml', 'a: &x [1]\nb: *x', 'adaptive_file_invalid')).toEqual({ fields: { a: [1], b: [1] } });
});

const header = (text: string) => splitFrontMatter('SOUL.md', text);

test('blank lines and blanks before the fence, and line ends of any kind, hide no header', () => {
  const plain = { header: { name: 'Ava', role: 'helper' }, body: 'Be kind.\nAlways.' };
  for (const text of [
    '---\nname: Ava\nrole: helper\n---\nBe kind.\nAlways.',
    '\n \n---\nname: Ava\nrole: helper\n---\nBe kind.\nAlways.',
    ' ---\nname: Ava\nrole: helper\n---\nBe kind.\nAlways.',
    '  ---\n  name: Ava\n  role: helper\n  ---\nBe kind.\nAlways.',
    '---\rname: Ava\rrole: helper\r---\rBe kind.\rAlways.',
  ]) {
    expect(header(text)).toEqual(plain);
  }
  // A rule inside a value is no end.
  expect(header('---\nvoice: |\n  a\n  ---\n  b\n---\nBody').header).toEqual({ voice: 'a\n---\nb\n' });
  expect(header('    ---\nname: Ava\n---\n').header).toEqual({});
});

test('the line of an error is that of the file, blank lines above the header counted', () => {
  expect(header('---\nname: Ava\nrole: [\n---\n').problem?.line).toBe(4);
  expect(header('\n\n---\nname: Ava\nrole: [\n---\n').problem?.line).toBe(6);
});

test('a header that nothing closes is told and grants nothing; a text that begins with a rule is only a text', () => {
  const text = '---\nname: Ava\nhardLimits:\n  - Never lie.\nBody';
  expect(header(text)).toMatchObject({ header: {}, body: text, problem: { code: 'header_unclosed', file: 'SOUL.md', line: 1 } });
  expect(header('\n---\n# who\nname: Ava\nBody').problem).toMatchObject({ code: 'header_unclosed', line: 2 });
  for (const rule of ['---\nHello', '---\n\nHello there: friend', '---', '---\n', 'name: Ava\nBody'])
    expect(header(rule).problem).toBeUndefined();
});
