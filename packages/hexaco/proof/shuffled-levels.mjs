import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HEXACO_TRAITS, LEVEL_TEXTS, TRAIT_LABELS } from '@x/hexaco';

/*
 * Whether a reader who does not know the code can put the nine texts of each trait in order.
 *
 *   node packages/hexaco/proof/shuffled-levels.mjs --seed 7              prints the texts of each trait, shuffled, lettered A to I
 *   node packages/hexaco/proof/shuffled-levels.mjs --check answers.json  compares an answer with the key
 *
 * An answer is JSON: { "seed": 7, "reader": "who", "date": "2026-03-01", "order": { "honesty": "CAB…", … } }, each order from the
 * lowest to the highest. As a proof it checks the answers that lie in `answers/`.
 */
const LETTERS = 'ABCDEFGHI';
const ANSWERS = fileURLToPath(new URL('./answers/', import.meta.url));

/** For each trait, the level behind each letter. */
function shuffle(seed) {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return Object.fromEntries(
    HEXACO_TRAITS.map((trait) => {
      const levels = LEVEL_TEXTS[trait].map((_, level) => level);
      for (let last = levels.length - 1; last > 0; last -= 1) {
        const other = Math.floor(random() * (last + 1));
        [levels[last], levels[other]] = [levels[other], levels[last]];
      }
      return [trait, levels];
    }),
  );
}

function questions(seed) {
  const key = shuffle(seed);
  const lines = [
    `Nine instructions for each of six traits, in random order (seed ${seed}). For each trait, write the letters in order, from the text that`,
    'asks for the LEAST of the trait to the one that asks for the MOST. Answer as JSON:',
    `{ "seed": ${seed}, "reader": "…", "date": "…", "order": { ${HEXACO_TRAITS.map((trait) => `"${trait}": "…"`).join(', ')} } }`,
  ];
  for (const trait of HEXACO_TRAITS) {
    lines.push('', `## ${trait} (${TRAIT_LABELS[trait]})`);
    key[trait].forEach((level, index) => {
      lines.push(`${LETTERS[index]}. ${LEVEL_TEXTS[trait][level]}`);
    });
  }
  return lines.join('\n');
}

/** For each trait, how many of the 36 pairs of texts the answer has in the right order. */
function compare({ seed, order }) {
  const key = shuffle(seed);
  return HEXACO_TRAITS.map((trait) => {
    const letters = [...String(order?.[trait] ?? '').toUpperCase()].filter((letter) => LETTERS.includes(letter));
    const levels = letters.map((letter) => key[trait][LETTERS.indexOf(letter)]);
    let pairs = 0;
    for (let a = 0; a < levels.length; a += 1) for (let b = a + 1; b < levels.length; b += 1) if (levels[a] < levels[b]) pairs += 1;
    return { trait, complete: new Set(levels).size === 9 && levels.length === 9, pairs };
  });
}

export default async function shuffledLevels() {
  const files = existsSync(ANSWERS) ? readdirSync(ANSWERS).filter((file) => file.endsWith('.json')) : [];
  if (files.length === 0)
    return { skip: 'no reader has answered yet: print the questions with --seed and put the answer into packages/hexaco/proof/answers' };
  return files.map((file) => {
    const answer = JSON.parse(readFileSync(ANSWERS + file, 'utf8'));
    const results = compare(answer);
    return {
      claim: `A fresh reader puts the nine shuffled texts of each trait in order (${answer.reader}, ${answer.date}, seed ${answer.seed})`,
      figure: results.map(({ trait, pairs }) => `${trait} ${pairs}/36 pairs`).join(', '),
      limit: 'all 36 pairs of each trait',
      pass: results.every(({ complete, pairs }) => complete && pairs === 36),
    };
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const option = (name) => {
    const at = process.argv.indexOf(name);
    return at < 0 ? undefined : process.argv[at + 1];
  };
  const file = option('--check');
  if (file === undefined) process.stdout.write(`${questions(Number(option('--seed') ?? 1))}\n`);
  else
    for (const { trait, complete, pairs } of compare(JSON.parse(readFileSync(file, 'utf8'))))
      process.stdout.write(`${trait}: ${pairs}/36 pairs in order${complete ? '' : ', not all nine letters'}\n`);
}
