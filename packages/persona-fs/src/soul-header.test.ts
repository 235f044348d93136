import { expect, test } from 'vitest';
import { splitFrontMatter } from './front-matter.js';
import { readSoulHeader } from './soul-header.js';

test('HEXACO scores come in under any spelling, and the plain name wins', () => {
  expect(readSoulHeader('SOUL.md', { hexaco: { honestyHumility: 0.8 } }).header.traits).toEqual({ honesty: 0.8 });
  expect(readSoulHeader('SOUL.md', { hexaco: { honesty: 0.7, honesty_humility: 0.2 } }).header.traits).toEqual({ honesty: 0.7 });
  expect(readSoulHeader('SOUL.md', { hexaco: { opennessToExperience: 1 } }).header.traits).toEqual({ openness: 1 });
});

test('each malformed field is left out alone and told', () => {
  const { header, problems } = readSoulHeader('SOUL.md', {
    name: 'Ava',
    role: ['x'],
    hexaco: { honesty: 2, charisma: 0.5, openness: 0.5 },
    defaultMood: 'sleepy',
    allowedMoods: ['Neutral', 'sleepy'],
    hardLimits: 'Never lie.',
  });
  expect(header).toMatchObject({ name: 'Ava', traits: { openness: 0.5 }, allowedMoods: ['neutral'], hardLimits: ['Never lie.'] });
  expect(header.role).toBeUndefined();
  expect(header.defaultMood).toBeUndefined();
  expect(problems.map(({ message }) => /field (\S+)/.exec(message)?.[1])).toEqual(
    ['role', 'hexaco.honesty', 'hexaco.charisma', 'defaultMood', 'allowedMoods'].sort((a, b) => order(a) - order(b)),
  );
  function order(field: string): number {
    return problems.findIndex(({ message }) => message.includes(`field ${field} `));
  }
});

test('a header named after an object prototype does nothing', () => {
  const { header } = readSoulHeader('SOUL.md', splitFrontMatter('SOUL.md', '---\n__proto__: {name: Eve}\nconstructor: x\n---\n').header);
  expect(header.name).toBeUndefined();
});

test('text that only begins with a rule has no header', () => {
  expect(splitFrontMatter('SOUL.md', '---\nHello')).toEqual({ header: {}, body: '---\nHello' });
});

test('a list or a bomb of aliases is no header', () => {
  for (const source of [
    '- a\n- b',
    'a: &a [x]\na: 2',
    `a: &a [1,1,1,1,1,1,1,1,1]\n${[...'bcdefghij'].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[at]}`).join(',')}]`).join('\n')}`,
  ]) {
    const { header, problem } = splitFrontMatter('SOUL.md', `---\n${source}\n---\nBody`);
    expect(header).toEqual({});
    expect(problem?.code).toBe('header_invalid');
  }
});

test('a field that nobody reads is told, with the name it may have meant', () => {
  const { header, problems } = readSoulHeader('SOUL.md', {
    nmae: 'Ava',
    hard_limits: ['Never lie.'],
    tools: ['bash'],
    permissions: 'all',
    voice: 'warm',
  });
  expect(header).toEqual(readSoulHeader('SOUL.md', { voice: 'warm' }).header);
  expect(problems.map(({ code }) => code)).toEqual(Array(4).fill('header_field_unknown'));
  expect(problems[0]?.message).toContain('Did you mean name?');
  expect(problems[1]?.message).toContain('Did you mean hardLimits?');
  expect(problems[2]?.message).not.toContain('Did you mean');
  expect(readSoulHeader('SOUL.md', Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`x${at}`, 1]))).problems).toHaveLength(20);
});

test('a name of digits stays as it is written', () => {
  for (const name of ['007', '1.10', '0x1F', '1e3', '12345678901234567890', '3'])
    expect(readSoulHeader('SOUL.md', splitFrontMatter('SOUL.md', `---\nname: ${name}\n---\n`).header).header.name).toBe(name);
});

test('a rule with a colon or of digits is a rule, a map or a list is none', () => {
  const { header } = splitFrontMatter(
    'SOUL.md',
    '---\nhardLimits:\n  - Never say: "I am human"\n  - 42\n  - [a]\n  - {a: b, c: d}\n  - {a: {b: c}}\n---\n',
  );
  const read = readSoulHeader('SOUL.md', header);
  expect(read.header.hardLimits).toEqual(['Never say: I am human', '42']);
  expect(read.problems).toHaveLength(1);
  expect(readSoulHeader('SOUL.md', { hardLimits: { Never: 'pay' } }).header.hardLimits).toEqual(['Never: pay']);
});
