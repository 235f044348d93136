// Trains the linear models and writes them as data.
//
//   node packages/sentiment/scripts/train.mjs [--data FOLDER]... [--evaluate FOLDER]... [--dry]
//
// FOLDER holds .jsonl files as described in data/README.md; default packages/sentiment/data. Messages of --evaluate, and
// of sources that may only evaluate, are scored but train nothing. Cross-validates by group in four folds, chooses the
// thresholds from the out-of-fold predictions, trains on everything, writes
//   src/data/model.generated.ts       the compact model inside detectAffect: words, pairs and what the lexicons found
//   src/trained/weights.generated.ts  the linear model alone: words, pairs and beginnings, no lexicon
// and prints the cross-validated figures. The same data give the same bytes.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { loadMessages } from './affect-data.mjs';
import { EVENTS } from './affect-metrics.mjs';
import { bundleSource } from './bundle-source.mjs';
import { ALONE, COMPACT, fitModel } from './fit-model.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const argument = (name) => process.argv.flatMap((value, index) => (process.argv[index - 1] === name ? [value] : []));
const folders = argument('--data').length > 0 ? argument('--data') : [join(root, 'data')];
const source = await import(pathToFileURL(await bundleSource('src/training.ts')).href);

const items = [...loadMessages(folders), ...loadMessages(argument('--evaluate'))];
const evaluateOnly = new Set(loadMessages(argument('--evaluate')).map(({ id }) => id));
const compact = fitModel(source, items, COMPACT, evaluateOnly);
const alone = fitModel(source, items, ALONE, evaluateOnly);
report('detectAffect: compact model, lexicons and rules', compact.summary);
report('the linear model alone', alone.summary);
if (!process.argv.includes('--dry')) {
  write('src/data/model.generated.ts', compact.packed);
  write('src/trained/weights.generated.ts', alone.packed);
}

function write(path, packed) {
  const from = path.startsWith('src/trained') ? '../linear-model.js' : '../linear-model.js';
  const name = path.startsWith('src/trained') ? 'WEIGHTS' : 'MODEL';
  const body = Object.entries(packed).map(([key, value]) => `  ${key}: ${JSON.stringify(value)},`);
  writeFileSync(
    join(root, path),
    `// Written by scripts/train.mjs from data/ (sources in NOTICE). Do not edit.\nimport type { PackedModel } from '${from}';\n\nexport const ${name}: PackedModel = {\n${body.join('\n')}\n};\n`,
  );
}

function report(title, summary) {
  const percent = (value) => `${(100 * value).toFixed(1)} %`;
  console.log(`${title} (out of fold)`);
  for (const [name, value] of Object.entries(summary)) {
    if (typeof value === 'number') console.log(`  ${name.padEnd(18)} ${percent(value)}`);
    else console.log(`  ${name.padEnd(18)} ${EVENTS.map((event) => `${event} ${percent(value[event].f1)}`).join(', ')}`);
  }
}
