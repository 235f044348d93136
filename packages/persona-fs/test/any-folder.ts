import fc from 'fast-check';
import { BOOTSTRAP_ORDER } from '../src/bootstrap.js';

/** What a random directory holds; each name stands in one of the three. */
export interface FolderPlan {
  readonly files: { readonly [name: string]: Uint8Array };
  readonly links: readonly string[];
  readonly directories: readonly string[];
}

const NAMES = [...BOOTSTRAP_ORDER, 'persona.yaml', 'persona.json'];
const line = fc.oneof(
  fc.constantFrom(
    '---',
    '...',
    'name: Ava',
    'hexaco: {honesty: 2}',
    'hexaco: &a [*a]',
    'hardLimits: [1, null]',
    '- [ ] task',
    '<!--',
    '```',
    '## SOUL.md',
    '\t- x: [',
    '{"id": 1}',
    'metaPrompts: [{}]',
    'a: &a [x]',
    'b: [*a,*a]',
    '__proto__: {a: 1}',
    'baseSystemPrompt: {template: "{{x}}"}',
    '? !!binary x',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const text = fc
  .tuple(fc.constantFrom('', '\uFEFF'), fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n', '\r'))
  .map(([mark, lines, eol]) => Buffer.from(mark + lines.join(eol)));
const content = fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) });
const kind = fc.constantFrom('file', 'file', 'file', 'absent', 'link', 'directory');

/** Directories as nobody would make them on purpose. */
export const anyFolder: fc.Arbitrary<FolderPlan> = fc
  .array(fc.tuple(kind, content), { minLength: NAMES.length, maxLength: NAMES.length })
  .map((entries) => {
    const named = entries.map(([what, bytes], index) => ({ what, bytes, name: NAMES[index]! }));
    const pick = (wanted: string): string[] => named.filter(({ what }) => what === wanted).map(({ name }) => name);
    return {
      files: Object.fromEntries(named.filter(({ what }) => what === 'file').map(({ name, bytes }) => [name, bytes])),
      links: pick('link'),
      directories: pick('directory'),
    };
  });
