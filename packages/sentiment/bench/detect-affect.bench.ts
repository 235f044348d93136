import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { bench, describe } from 'vitest';
import { detectAffect } from '../src/detect-affect.js';

// Rivals live in bench/peers (`npm ci --prefix bench/peers`); without them ours is measured alone.

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const texts = ['clinc150', 'goemotions', 'vader-tweets', 'traps'].flatMap((name) =>
  readFileSync(here(`../data/${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .slice(0, 500)
    .map((line) => (JSON.parse(line) as { readonly text: string }).text),
);
const words = texts.join(' ').split(/\s+/);
const essay = words.slice(0, 200).join(' ');
const book = texts.join(' ').repeat(20).slice(0, 1_000_000);

interface Vader {
  readonly SentimentIntensityAnalyzer: { polarity_scores(text: string): { readonly compound: number } };
}
interface Natural {
  readonly SentimentAnalyzer: new (
    language: string,
    stemmer: unknown,
    vocabulary: string,
  ) => { getSentiment(words: readonly string[]): number };
  readonly PorterStemmer: unknown;
  readonly WordTokenizer: new () => { tokenize(text: string): string[] };
}
const manifest = here('../../../bench/peers/package.json');
const require = createRequire(manifest);
const load = <T>(name: string): T | undefined =>
  existsSync(here(`../../../bench/peers/node_modules/${name}`)) ? (require(name) as T) : undefined;
const vader = load<Vader>('vader-sentiment');
const natural = load<Natural>('natural');

/** The sum is looked at, so that no work can be left out. */
function scoreAll(list: readonly string[], score: (text: string) => number): void {
  let sum = 0;
  for (const text of list) sum += score(text);
  if (Number.isNaN(sum)) throw new Error('the benchmark measured nothing');
}

const ours = (text: string): number => detectAffect(text).score ?? 0;

for (const [title, list] of [
  [`${texts.length} messages`, texts],
  ['a message of 200 words', [essay]],
  ['a text of 1 MB', [book]],
] as const) {
  describe(title, () => {
    bench('detectAffect: polarity, three events, language', () => scoreAll(list, ours), { time: 500, iterations: 3 });
    if (vader)
      bench('vader-sentiment: polarity', () => scoreAll(list, (text) => vader.SentimentIntensityAnalyzer.polarity_scores(text).compound));
    if (natural) {
      const analyser = new natural.SentimentAnalyzer('English', natural.PorterStemmer, 'afinn');
      const tokenizer = new natural.WordTokenizer();
      // It gives NaN for a text without words.
      bench('natural: polarity', () => scoreAll(list, (text) => analyser.getSentiment(tokenizer.tokenize(text)) || 0));
    }
  });
}
