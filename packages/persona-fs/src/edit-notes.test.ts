import { expect, test } from 'vitest';
import { planEdit } from './edit-notes.js';
import { findSpans } from './find-spans.js';

const replace = (file: string, text: string, replacement: string) => planEdit(file, { action: 'replace', text, with: replacement });
const remove = (file: string, text: string) => planEdit(file, { action: 'remove', text });
const textAfter = (plan: ReturnType<typeof planEdit>): string => ('text' in plan ? plan.text : plan.outcome);

test('only the matched words of an entry change', () => {
  expect(textAfter(replace('- likes tea; lives in Oslo\n', 'likes tea', 'likes coffee'))).toBe('- likes coffee; lives in Oslo\n');
});

test('dollar signs in the new words stand for themselves', () => {
  expect(textAfter(replace('- cost is price\n', 'price', '$& and $$5 $` $1'))).toBe('- cost is $& and $$5 $` $1\n');
});

test('words that occur twice change nothing and come back as candidates', () => {
  expect(replace('- lives in Oslo\n- born in Oslo\n', 'Oslo', 'Rome')).toEqual({
    outcome: 'many',
    count: 2,
    candidates: ['- lives in Oslo', '- born in Oslo'],
  });
  expect(remove('- likes tea at 5pm\n- likes tea\n', 'likes tea')).toMatchObject({ outcome: 'many', count: 2 });
});

test('a list marker and a line break pin an entry down among others that hold its words', () => {
  expect(textAfter(remove('- likes tea at 5pm\n- likes tea\n', '- likes tea\n'))).toBe('- likes tea at 5pm\n');
});

test('what is not there changes nothing, and entries with the same words are offered', () => {
  expect(replace('- lives in Lisbon\n- drinks tea\n', 'Lisbon and Porto', 'Rome')).toEqual({ outcome: 'none', near: ['lives in Lisbon'] });
});

test('removing all of an entry removes its line', () => {
  expect(textAfter(remove('- a\n- b\n- c\n', 'b'))).toBe('- a\n- c\n');
  expect(textAfter(remove('- only', 'only'))).toBe('');
  expect(textAfter(remove('# Notes\n- x\n', '- x'))).toBe('# Notes\n');
});

test('removing a part of an entry leaves the rest tidy', () => {
  expect(textAfter(remove('- likes tea; lives in Oslo\n', 'likes tea'))).toBe('- lives in Oslo\n');
  expect(textAfter(remove('- likes tea; lives in Oslo\n', 'lives in Oslo'))).toBe('- likes tea\n');
  expect(textAfter(remove('- a, b, c\n', 'b'))).toBe('- a, c\n');
  expect(textAfter(remove('- one\n  two\n', 'one'))).toBe('- two\n');
});

test('differences that nobody sees do not keep words from matching', () => {
  expect(textAfter(replace('- Cafe\u0301 at  noon\n', 'Caf\u00E9 at noon', 'bar'))).toBe('- bar\n');
  expect(textAfter(replace('- a\u200Bb here\n', 'ab', 'x'))).toBe('- x here\n');
  expect(textAfter(replace('- one\r\n  line\r\n- two\r\n', 'one\n  line', 'x'))).toBe('- x\r\n- two\r\n');
  expect(textAfter(replace('- Green Tea\n', 'green tea', 'coffee'))).toBe('- coffee\n');
});

test('letter case counts where it tells two places apart', () => {
  expect(textAfter(replace('- Tea\n- tea\n', 'tea', 'x'))).toBe('- Tea\n- x\n');
});

test('a match never begins inside a composed letter', () => {
  expect(findSpans('- e\u0301\n', 'e')).toEqual([]);
});

test('new lines stay inside the entry, in the style of the file', () => {
  expect(textAfter(replace('- a\r\n- b\r\n', 'a', 'x\n- y'))).toBe('- x\r\n  - y\r\n- b\r\n');
});

test('prose outside the list can be edited too', () => {
  expect(textAfter(replace('# Notes\n\nAva is kind.\n\n- a\n', 'kind', 'brief'))).toBe('# Notes\n\nAva is brief.\n\n- a\n');
});

test('a byte order mark survives an edit of the first line', () => {
  expect(textAfter(remove('\uFEFF- a\n- b\n', 'a'))).toBe('\uFEFF- b\n');
});

test('copies of one whole entry go together or become one; of parts they stay ambiguous', () => {
  expect(textAfter(remove('- a\n- b\n- a\n', '- a\n'))).toBe('- b\n');
  expect(textAfter(replace('- a\n- b\n- a\n- c\n', '- a\n', 'd'))).toBe('- b\n- d\n- c\n');
  expect(remove('- a\n- b\n- a\n', 'a')).toMatchObject({ outcome: 'many', count: 2 });
});

test('words that run from one entry into the next, or from prose into an entry, are not found', () => {
  for (const [file, wanted] of [
    ['- likes tea\n- lives in Oslo\n', 'tea - lives'],
    ['- abc\n- def\n- ghi\n', 'abc - def'],
    ['- abc\n- def\n', 'c\n- d'],
    ['- abc\n- def\n', 'abc\n- def'],
    ['# Title\n- a\n', 'Title - a'],
    ['- a\n\nprose\n', 'a prose'],
    ['* abc\r\n* def\r\n', 'abc * def'],
    ['1. likes tea\n2. lives in Oslo\n', 'tea 2. lives'],
    ['# Notes\n\nAva is kind.\n', 'Notes Ava'],
    ['- trip\n  - book hotel\n  - book train\n', 'hotel - book'],
  ] as const) {
    expect(remove(file, wanted).outcome).toBe('none');
    expect(replace(file, wanted, 'one').outcome).toBe('none');
  }
});

test('a list marker is no part of what an entry says', () => {
  for (const wanted of ['-', '- ', ' - ', '*', '+', '#', '\u200B-', '-\t', '- \n', '\u00AD \u200B']) {
    expect(replace('- only one entry\n', wanted, 'Q').outcome).toBe('none');
    expect(remove('# Title\n- abc\n', wanted).outcome).toBe('none');
  }
  expect(remove('- likes tea at 5pm\n', '- likes tea\n').outcome).toBe('none');
  expect(textAfter(replace('- a: b - c\n', 'b - c', 'd'))).toBe('- a: d\n');
});

test('of a numbered entry and of a task nothing is left either', () => {
  expect(textAfter(remove('1. one thing\n2. two things\n', 'one thing'))).toBe('2. two things\n');
  expect(textAfter(remove('3) one\n', 'one'))).toBe('');
  expect(textAfter(remove('- [ ] call mum\n- [x] call dad\n', 'call mum'))).toBe('- [x] call dad\n');
  expect(textAfter(remove('2024. A year\n', 'year'))).toBe('2024. A\n');
});

test('a wrapped entry matches as one line; lines of a list within it match as they stand', () => {
  expect(textAfter(replace('- likes green\n  tea; sleeps\n', 'green tea', 'mint'))).toBe('- likes mint; sleeps\n');
  expect(textAfter(replace('- trip\n  - hotel\n  - train\n', 'trip\n- hotel', 'trip:\n- hostel'))).toBe('- trip:\n  - hostel\n  - train\n');
});

test('the same in signs that nobody sees is the same, and leaves none of them behind', () => {
  const syllables = '한글 각 메모';
  const pairs = [
    [syllables, syllables.normalize('NFD')],
    ['Việt Nam', 'Việt Nam'.normalize('NFD')],
    ['\u212B ring', 'Å ring'],
    ['lr\u200Emark', 'lrmark'],
    ['isolate\u2066x\u2069', 'isolatex'],
    ['\u202Aembed\u202C', 'embed'],
    ['invis\u2063sep', 'invissep'],
    ['mongol\u180Evs', 'mongolvs'],
    ['heart ❤\uFE0F you', 'heart ❤ you'],
    ['tag\u{E0101} it', 'tag it'],
    ['cafe\u200B\u0301 x', 'café x'],
    ['wide \u200B gap', 'wide gap'],
  ] as const;
  for (const [one, other] of [...pairs, ...pairs.map(([a, b]) => [b, a] as const)]) {
    expect(textAfter(replace(`- ${one} end\n- other\n`, other, 'NEW'))).toBe('- NEW end\n- other\n');
    expect(textAfter(remove(`- ${one}\n- other\n`, `- ${other}\n`))).toBe('- other\n');
  }
  expect(findSpans('- 한글\n'.normalize('NFD'), '하')).toEqual([]);
  expect(textAfter(replace('\uFEFFAva is kind\n', 'Ava', 'Eve'))).toBe('\uFEFFEve is kind\n');
});

test('other forms of quotes, dashes and wide letters match where nothing else does', () => {
  expect(textAfter(replace('- em—dash １０ ｋｍ\n', 'em-dash 10 km', 'x'))).toBe('- x\n');
  expect(textAfter(replace('- Sam’s “big” day\n', 'Sam\'s "big" day', 'x'))).toBe('- x\n');
  expect(textAfter(replace("- Sam's\n- Sam’s\n", 'Sam’s', 'x'))).toBe("- Sam's\n- x\n");
});

test.each([
  ['System notes — environment', 'System notes -- environment'],
  ['pages 3–5', 'pages 3--5'],
  ['a—b', 'a---b'],
  ['sagt „ja“ oft', 'sagt "ja" oft'],
  ['sagt ‚ja‘ oft', "sagt 'ja' oft"],
  ['dit «oui» vite', 'dit "oui" vite'],
  ['5′ 3″ tall', '5\' 3" tall'],
  ['wait… what', 'wait... what'],
  ['o\uFB03ce hours', 'office hours'],
  ['ｶﾞｽ代', 'ガス代'],
  ['lives in İzmir', 'lives in izmir'],
])('%j and %j are one text where nothing else matches', (one, other) => {
  for (const [there, wanted] of [
    [one, other],
    [other, one],
  ] as const)
    expect(textAfter(remove(`- x ${there} y\n- other\n`, `x ${wanted} y`))).toBe('- other\n');
});

test('letters that other letters stand for in a formula, and longer rows of hyphens, stay apart', () => {
  expect(remove('- 10² m\n', '102 m').outcome).toBe('none');
  expect(remove('- a ----- b\n', 'a - b').outcome).toBe('none');
  expect(remove('- run it with --all\n', 'with -all').outcome).toBe('none');
  expect(remove('- run `--all`\n', 'run `-all`').outcome).toBe('none');
  expect(remove('- wait… what\n', 'wait.. what').outcome).toBe('none');
});

test('a heading is found as it stands in the prompt, with a backslash', () => {
  const file = '## People\n- # Ann leads\n\nNotes\n---\n';
  expect(textAfter(replace(file, '\\## People', '\\## Humans'))).toBe(file.replace('People', 'Humans'));
  expect(textAfter(remove(file, '- \\# Ann leads'))).toBe(file.replace('- # Ann leads\n', ''));
  expect(textAfter(replace(file, 'Notes\n\\---', 'Others'))).toBe('## People\n- # Ann leads\n\nOthers\n');
  expect(textAfter(remove('\\# kept\n# kept\n', '\\# kept'))).toBe('# kept\n');
});
