/** Random directories, as nobody would make them on purpose: reading one gives a persona or a typed error. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAgentosError } from '@x/core';
import { BOOTSTRAP_ORDER, fromDir, loadPersona, memoryTool } from '@x/persona-fs';
import { seeded } from './lib/random.mjs';

const NAMES = [...BOOTSTRAP_ORDER, 'persona.yaml', 'persona.json'];
const LINES = [
  '---',
  '...',
  'name: Ava',
  'name: [1',
  'hexaco: {honesty: 2}',
  'hexaco: &a [*a]',
  'hardLimits: [1, null]',
  '- [ ] task',
  '- x',
  '<!--',
  '```',
  '~~~',
  '## SOUL.md',
  '\t- x: [',
  '{"id": 1}',
  'metaPrompts: [{}]',
  'metaPrompts: {id: x}',
  'b: &b [x]',
  'c: [*b,*b]',
  '__proto__: {a: 1}',
  'constructor: 1',
  'baseSystemPrompt: {template: "{{x}}"}',
  'baseSystemPrompt: 7',
  '? !!binary x',
  'sentimentTracking: {presets: 3}',
  'heartbeat: {cron: 1}',
  'id: ../x',
  '\u202e',
  '\u0000',
  '\ud800',
];
const FIRST = ['', '\uFEFF', '---\n', '---\r\n'];
const ENDS = ['\n', '\r\n', '\r', ''];

export default async function ({ short, log }) {
  const count = short ? 500 : 10_000;
  const random = seeded(11);
  const parent = mkdtempSync(join(tmpdir(), 'persona-proof-'));
  const outside = join(parent, 'outside');
  writeFileSync(outside, 'OUTSIDE');
  const kinds = new Map();
  let [untyped, leaked, loaded, threwInTool] = [0, 0, 0, 0];
  const content = () => {
    if (random.below(6) === 0) return Buffer.from(Array.from({ length: random.below(60) }, () => random.below(256)));
    const lines = Array.from({ length: random.below(9) }, () =>
      random.below(4) === 0
        ? String.fromCodePoint(...Array.from({ length: random.below(8) }, () => 1 + random.below(0xd7ff)))
        : random.pick(LINES),
    );
    return random.pick(FIRST) + lines.join(random.pick(ENDS));
  };
  for (let index = 0; index < count; index += 1) {
    const dir = join(parent, `p${index}`);
    mkdirSync(dir);
    for (const name of NAMES) {
      const what = random.below(8);
      if (what < 5) writeFileSync(join(dir, name), content());
      else if (what === 5) symlinkSync(random.pick([outside, 'nowhere', name, '.']), join(dir, name));
      else if (what === 6 && random.below(3) === 0) mkdirSync(join(dir, name));
    }
    for (const read of [loadPersona, fromDir]) {
      try {
        const made = read(dir);
        loaded += 1;
        if (JSON.stringify(made).includes('OUTSIDE')) leaked += 1;
      } catch (error) {
        if (!isAgentosError(error)) untyped += 1;
        kinds.set(error?.code ?? String(error), (kinds.get(error?.code ?? String(error)) ?? 0) + 1);
      }
    }
    if (index % 10 === 0)
      await memoryTool(dir)
        .execute({ action: random.pick(['add', 'replace', 'remove']), text: random.pick(LINES), with: 'x' })
        .catch(() => (threwInTool += 1));
    rmSync(dir, { recursive: true, force: true });
    if (index % 2_500 === 2_499) log(`${index + 1} folders`);
  }
  rmSync(parent, { recursive: true, force: true });
  const errors = [...kinds].map(([code, times]) => `${code} ${times}`).join(', ') || 'none';
  return [
    {
      claim: `${count} random folders: no read throws an error that is not typed`,
      figure: `${untyped} untyped; ${loaded} reads gave a persona; typed errors: ${errors}`,
      limit: '0 untyped',
      pass: untyped === 0 && loaded > count,
    },
    {
      claim: 'What lies outside a folder reaches no persona, and the memory tool throws in none of them',
      figure: `${leaked} leaked, ${threwInTool} thrown`,
      limit: '0 and 0',
      pass: leaked + threwInTool === 0,
    },
  ];
}
