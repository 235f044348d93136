import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDir, writeFiles } from '../test/make-dir.js';
import { loadPersona, loadPersonas, readPersona } from './load-persona.js';
import { personaIdOf } from './persona-name.js';

const codes = (dir: string): string[] => readPersona(dir).problems.map(({ code, file }) => `${file} ${code}`);

test('a directory is a persona: its name the id, its files the prompt, its YAML the rest', () => {
  const dir = makeDir({
    'SOUL.md':
      '---\nname: Ava\nrole: helper\nhexaco: {honestyHumility: 0.8}\ndefaultMood: focused\nhardLimits: [Never lie.]\n---\nBe kind.',
    'persona.yaml':
      'version: 2.1.0\nsentimentTracking: {enabled: true}\npersonalityTraits: {openness: 0.9}\nhardLimits: [Never pay.]\nheartbeat: {cron: "0 9 * * *"}\n',
  });
  expect(loadPersona(dir)).toEqual({
    id: 'ava',
    name: 'Ava',
    version: '2.1.0',
    description: 'helper',
    baseSystemPrompt: '## SOUL.md\n\nName: Ava\nRole: helper\n\nBe kind.',
    personalityTraits: { honesty: 0.8, openness: 0.9 },
    moodAdaptation: { defaultMood: 'focused' },
    sentimentTracking: { enabled: true },
    hardLimits: ['Never lie.', 'Never pay.'],
    heartbeat: { cron: '0 9 * * *' },
  });
  expect(codes(dir)).toEqual([]);
});

test('a directory, a JSON file and a YAML file of the same persona are the same', () => {
  const persona = { name: 'Ava', version: '1.0.0', description: 'helper', baseSystemPrompt: 'Be kind.', strengths: ['tea'] };
  const dir = makeDir({ 'persona.json': JSON.stringify(persona) });
  writeFiles(dir, {
    '../ava.json': JSON.stringify(persona),
    '../ava.yaml': Object.entries(persona)
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
      .join('\n'),
  });
  expect(loadPersona(dir)).toEqual({ id: 'ava', ...persona });
  expect(loadPersona(join(dir, '../ava.json'))).toEqual({ id: 'ava', ...persona });
  expect(loadPersona(join(dir, '../ava.yaml'))).toEqual({ id: 'ava', ...persona });
});

test('an empty directory is somebody with a name', () => {
  expect(loadPersona(makeDir())).toMatchObject({ id: 'ava', name: 'ava', baseSystemPrompt: 'You are ava.' });
});

test('a broken adaptive file grants nothing and leaves the soul standing', () => {
  for (const [file, text] of [
    ['persona.yaml', 'toolIds:\n\t- shell\n'],
    ['persona.yaml', 'toolIds: [shell]\ntoolIds: [mail]\n'],
    ['persona.yaml', '- toolIds\n'],
    ['persona.yaml', 'toolIds: !!js/function "x"\n'],
    ['persona.json', '{"toolIds": ["shell"],}}'],
    ['persona.json', '{"toolIds": ["shell"],}'],
    ['persona.json', '{"toolIds": ["shell"] // the shell\n}'],
    ['persona.yaml', 'toolIds: [shell]\n---\ntoolIds: [mail]\n'],
    ['persona.yaml', 'toolIds: 7\n'],
    ['persona.yaml', 'toolIds: [shell]\nformatVersion: 9\n'],
    ['persona.yaml', 'toolIds: [shell]\nmetaPrompts: [{id: 3}]\n'],
  ] as const) {
    const { persona, problems } = readPersona(makeDir({ 'SOUL.md': 'Be kind.', [file]: text }));
    expect(persona.toolIds).toBeUndefined();
    expect(persona.baseSystemPrompt).toBe('## SOUL.md\n\nBe kind.');
    expect(problems.map(({ code }) => code)).toEqual(['adaptive_file_invalid']);
  }
});

test('a broken JSON file is told with its line; fences around one YAML document are none of several', () => {
  const { problems } = readPersona(makeDir({ 'persona.json': '{\n  "toolIds": ["shell"],\n}\n' }));
  expect(problems).toMatchObject([{ code: 'adaptive_file_invalid', line: 3 }]);
  for (const [file, text] of [
    ['persona.json', '\uFEFF{\n\t"toolIds": ["shell"]\n}\n'],
    ['persona.yaml', '---\ntoolIds: [shell]\n---\n'],
  ] as const) {
    expect(readPersona(makeDir({ [file]: text }))).toMatchObject({ persona: { toolIds: ['shell'] }, problems: [] });
  }
});

test('a trait that nobody knows is told with what is wrong about it', () => {
  const { problems } = readPersona(makeDir({ 'persona.yaml': 'base: &b {honesty: 0.5}\npersonalityTraits:\n  <<: *b\n' }));
  expect(problems.map(({ message }) => message).join()).toMatch(/The persona has 1 error\. personalityTraits/);
});

test('a file of a persona names no endpoint, key, header or code', () => {
  const { persona, problems } = readPersona(
    makeDir({
      'persona.yaml':
        'apiKey: x\nbaseUrl: http://evil\ncustomFields: {headers: {a: b}, ok: 1}\nmetaPrompts: [{id: m, promptTemplate: hi, handler: run}]\n__proto__: {x: 1}\n',
    }),
  );
  expect(JSON.stringify(persona)).not.toMatch(/evil|apiKey|headers|handler|run/);
  expect(persona.customFields).toEqual({ ok: 1 });
  expect(problems.map(({ code }) => code)).toEqual(Array(5).fill('adaptive_field_refused'));
});

test('each name is read from one place, and a second that differs is told', () => {
  const dir = makeDir({
    'SOUL.md': '---\nname: Ava\nagentId: eva\nhexaco: {openness: 0.1}\n---\n',
    'persona.yaml': 'id: other\nname: Eve\npersonalityTraits: {openness: 0.9}\n',
    'persona.json': '{}',
  });
  const { persona } = readPersona(dir);
  expect(persona).toMatchObject({ id: 'ava', name: 'Ava', personalityTraits: { openness: 0.9 } });
  expect(codes(dir)).toEqual([
    'persona.json adaptive_file_doubled',
    'SOUL.md id_conflict',
    'persona.yaml id_conflict',
    'persona.yaml field_doubled',
    'persona.yaml field_doubled',
  ]);
});

test('a name that stands in the prompt counts before one that does not: SOUL.md, IDENTITY.md, persona.yaml, the directory', () => {
  const soul = { 'SOUL.md': '---\nname: Zelda\n---\nBe kind.' };
  const identity = { 'IDENTITY.md': '# Identity\n- **Name:** Pixel\n' };
  const yaml = { 'persona.yaml': 'name: Assistant\n' };
  const nameOf = (files: { readonly [name: string]: string }): string => loadPersona(makeDir(files)).name;
  expect(nameOf({ ...soul, ...identity, ...yaml })).toBe('Zelda');
  expect(nameOf({ ...identity, ...yaml })).toBe('Pixel');
  expect(nameOf(yaml)).toBe('Assistant');
  expect(nameOf({ 'SOUL.md': 'You are Zelda the brave.' })).toBe('ava');
  expect(codes(makeDir({ ...soul, ...identity, ...yaml }))).toEqual(['IDENTITY.md field_doubled', 'persona.yaml field_doubled']);
  expect(codes(makeDir({ ...identity, ...yaml }))).toEqual(['persona.yaml field_doubled']);
  expect(codes(makeDir({ ...identity, 'SOUL.md': '---\nname: Pixel\n---\n' }))).toEqual([]);
  expect(codes(makeDir({ ...soul, 'persona.yaml': 'name: 7' }))).toEqual(['persona.yaml adaptive_file_invalid']);
});

test('a directory whose files differ from the names only in capitals is told, and is nobody', () => {
  const problems: string[] = [];
  const parent = makeDir({ 'bo/soul.md': 'A.', 'eve/SOUL.md': 'B.', 'eve/Persona.yml': 'name: X' });
  const loaded = loadPersonas(parent, { onProblem: ({ code, file }) => problems.push(`${file} ${code}`) });
  expect(loaded.map(({ persona }) => persona.name)).toEqual(['eve']);
  expect(problems).toEqual(['bo/soul.md file_name_case', 'Persona.yml file_name_case']);
});

test('fields under an older name are read and told', () => {
  const { persona, problems } = readPersona(makeDir({ 'persona.yaml': 'model: gpt-4o-mini\ntraits: {honesty_humility: 1}\n' }));
  expect(persona).toMatchObject({ defaultModelId: 'gpt-4o-mini', personalityTraits: { honesty: 1 } });
  expect(problems.map(({ code }) => code)).toEqual(['adaptive_field_renamed', 'adaptive_field_renamed']);
});

test('a misspelt field of the adaptive file is told with the name that was meant; a field of the host’s own is not', () => {
  const { problems, persona } = readPersona(
    makeDir({ 'persona.yaml': 'hard_limits: [Never pay.]\nmetaPromts: []\nzzz: 1\nfavourites: [tea]\n' }),
  );
  expect(problems.map(({ code, message }) => `${code} ${/mean (\w+)/.exec(message)?.[1]}`)).toEqual([
    'adaptive_field_unknown hardLimits',
    'adaptive_field_unknown metaPrompts',
  ]);
  expect(persona).toMatchObject({ zzz: 1, favourites: ['tea'] });
});

test('a prompt of the adaptive file follows the soul; as a list it follows by priority; as a template it is refused', () => {
  const soul = { 'SOUL.md': 'Be kind.' };
  expect(loadPersona(makeDir({ ...soul, 'persona.yaml': 'baseSystemPrompt: More.' })).baseSystemPrompt).toBe(
    '## SOUL.md\n\nBe kind.\n\nMore.',
  );
  expect(loadPersona(makeDir({ ...soul, 'persona.yaml': 'baseSystemPrompt: [{content: More., priority: 5}]' })).baseSystemPrompt).toEqual([
    { content: '## SOUL.md\n\nBe kind.', priority: 6 },
    { content: 'More.', priority: 5 },
  ]);
  const dir = makeDir({ ...soul, 'persona.yaml': 'baseSystemPrompt: {template: "{{x}}"}' });
  expect(codes(dir)).toEqual(['persona.yaml adaptive_field_refused']);
});

test('what stands beside the soul is given apart, for hosts that place the soul themselves', () => {
  const beside = (files: { readonly [name: string]: string }): unknown => readPersona(makeDir(files)).besideSoul;
  expect(beside({ 'SOUL.md': 'Be kind.' })).toBe('');
  expect(beside({ 'SOUL.md': 'Be kind.', 'persona.yaml': 'baseSystemPrompt: More.' })).toBe('More.');
  expect(beside({ 'persona.yaml': 'baseSystemPrompt: Only this.' })).toBe('Only this.');
  expect(beside({ 'persona.yaml': 'name: Ava' })).toBe('You are Ava.');
  expect(beside({ 'SOUL.md': 'Be kind.', 'persona.yaml': 'baseSystemPrompt: 7' })).toBe('');
});

test('of several directories each is a persona of its own, and two with one id are not both loaded', () => {
  const parent = makeDir({
    'ava/SOUL.md': 'A.',
    'Bo b/SOUL.md': 'B.',
    'Bo-b/SOUL.md': 'C.',
    'broken/persona.yaml': 'a: b: c',
    'notes/x.txt': '',
    '.git/SOUL.md': '',
  });
  const problems: string[] = [];
  const ids = loadPersonas(parent, { onProblem: ({ code, file }) => problems.push(`${file} ${code}`) }).map(({ persona }) => persona.id);
  expect(ids).toEqual(['Bo-b', 'ava', 'broken']);
  expect(problems).toEqual(['Bo-b id_conflict', 'persona.yaml adaptive_file_invalid']);
});

test.each([
  ['/personas/ava', 'ava'],
  ['/personas/My Persona!', 'My-Persona'],
  ['/personas/Åsa.v2', 'Asa-v2'],
  ['/personas/..hidden', 'hidden'],
])('%s has the id %s', (path, id) => {
  expect(personaIdOf(path)).toBe(id);
});

test('a directory without a usable name still has an id of its own', () => {
  expect(personaIdOf('/')).toMatch(/^persona-[0-9a-f]{8}$/);
  expect(personaIdOf('/p/絵里')).not.toBe(personaIdOf('/p/太郎'));
});

test('a missing directory or file is a typed error without a path of the machine', () => {
  const dir = makeDir();
  expect(() => loadPersona(join(dir, 'nobody'))).toThrow(expect.objectContaining({ code: 'persona_dir_missing' }));
  expect(() => loadPersona(join(dir, 'nobody.json'))).toThrow(
    expect.objectContaining({ code: 'persona_file_invalid', message: expect.not.stringContaining(dir) }),
  );
  writeFiles(dir, { 'bad.json': '{' });
  expect(() => loadPersona(join(dir, 'bad.json'))).toThrow(expect.objectContaining({ code: 'persona_file_invalid' }));
  writeFiles(dir, { 'odd.json': '{"version": 7}' });
  expect(() => loadPersona(join(dir, 'odd.json'))).toThrow(expect.objectContaining({ code: 'persona_invalid' }));
});

test('a link among the personas is not followed, and told where it leads to a directory', () => {
  const elsewhere = makeDir({ 'SOUL.md': 'Be kind.' });
  const parent = makeDir({ 'bo/SOUL.md': 'Be brief.', 'README.md': 'x' });
  symlinkSync(elsewhere, join(parent, 'linked'));
  symlinkSync(join(parent, 'README.md'), join(parent, 'notes'));
  symlinkSync('/nowhere', join(parent, 'old'));
  const problems: string[] = [];
  const ids = loadPersonas(parent, { onProblem: ({ code, file }) => problems.push(`${file} ${code}`) }).map(({ persona }) => persona.id);
  expect([ids, problems]).toEqual([['bo'], ['linked file_unsafe']]);
});

test('a misspelt field of a heartbeat turns beats off and is told by its name', () => {
  const yaml = 'heartbeat: {everyMs: 1000, timezone: Asia/Shanghai}\nhardLimits: [Never pay]\nsentimentTracking: {enabled: true}\n';
  const { persona, problems } = readPersona(makeDir({ 'persona.yaml': yaml }));
  expect(persona.heartbeat).toBeUndefined();
  expect([persona.hardLimits, persona.sentimentTracking]).toEqual([['Never pay'], { enabled: true }]);
  expect(problems).toEqual([{ code: 'adaptive_file_invalid', file: 'persona.yaml', message: expect.stringContaining('timezone') }]);
});
