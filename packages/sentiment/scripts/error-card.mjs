// Prints the error card; with --write puts it between the markers of README.md.
//
//   node packages/sentiment/scripts/error-card.mjs [--data FOLDER]... [--write]
//
// The card of detectAffect is out of fold: each message was scored by a model that had not seen its group. The rivals
// come from bench/peers; their thresholds are the best for F1 on the very messages that they are judged on.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { loadMessages } from './affect-data.mjs';
import { EVENTS, eventFigures, falseRate, polarityF1, summarise } from './affect-metrics.mjs';
import { bundleSource } from './bundle-source.mjs';
import { COMPACT, fitModel } from './fit-model.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const peers = join(root, '../../bench/peers/package.json');

/** @returns `{ lines, ours, rivals }`: the card as Markdown, our out-of-fold figures, and those of each rival. */
export async function errorCard(folders = [join(root, 'data')]) {
  const source = await import(pathToFileURL(await bundleSource('src/training.ts')).href);
  const items = loadMessages(folders);
  const { rows } = fitModel(source, items, COMPACT);
  const rivals = (await rivalScorers(source)).map((rival) => ({ name: rival.name, rows: bestThresholds(items, rival) }));
  const lines = [
    ...table(
      [
        'system',
        ...EVENTS.map((event) => `${event} F1`),
        'macro-F1',
        'to an assistant',
        'false per 1,000 neutral to an assistant',
        'polarity F1',
        'traps right',
      ],
      [{ name: '**detectAffect**', rows }, ...rivals].map(({ name, rows: predicted }) => {
        const figures = summarise(predicted);
        return [
          name,
          ...EVENTS.map((event) => percent(figures.events[event].f1)),
          percent(figures.pooled),
          percent(figures.toAssistant),
          Math.round(1000 * figures.falseToAssistant),
          percent(figures.polarity),
          percent(figures.trapsRight),
        ];
      }),
    ),
    '',
    'detectAffect by source and by language: precision / recall / F1, and false events per 1,000 neutral messages.',
    '',
    ...breakdown(rows, 'source', ({ source: name }) => name),
    '',
    ...breakdown(
      rows.filter(({ item }) => item.source !== 'traps'),
      'language',
      ({ lang }) => lang,
    ),
  ];
  return { lines, ours: summarise(rows), rivals: rivals.map(({ name, rows: predicted }) => ({ name, ...summarise(predicted) })) };
}

function breakdown(rows, title, keyOf) {
  const keys = [...new Set(rows.map(({ item }) => keyOf(item)))].sort();
  return table(
    [title, 'messages', ...EVENTS, 'false per 1,000', 'polarity F1'],
    keys.map((key) => {
      const some = rows.filter(({ item }) => keyOf(item) === key);
      const neutral = falseRate(some);
      return [
        key,
        some.length,
        ...EVENTS.map((event) => {
          const { precision, recall, f1, positives } = eventFigures(some, event);
          return positives === 0 ? '-' : `${percent(precision)} / ${percent(recall)} / ${percent(f1)}`;
        }),
        neutral.count === 0 ? '-' : Math.round(1000 * neutral.rate),
        percent(polarityF1(some)),
      ];
    }),
  );
}

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

const percent = (value) => (100 * value).toFixed(0);

/** AFINN and VADER as scores, and the seed's phrases for confusion. */
async function rivalScorers(source) {
  const { afinnSentiment, SEED_CONFUSION_PHRASES } = source;
  const phrases = (text) => SEED_CONFUSION_PHRASES.some((phrase) => text.toLowerCase().includes(phrase));
  const afinn = (text) => afinnSentiment(text, 'en').score ?? 0;
  const rivals = [
    { name: 'AFINN sum, best thresholds', score: afinn, confused: phrases },
    { name: "the seed's rules (-0.6, 0.5, its phrases)", score: afinn, confused: phrases, fixed: true },
  ];
  if (existsSync(join(dirname(peers), 'node_modules/vader-sentiment'))) {
    const { SentimentIntensityAnalyzer } = createRequire(peers)('vader-sentiment');
    rivals.push({
      name: 'VADER, best thresholds',
      score: (text) => SentimentIntensityAnalyzer.polarity_scores(text).compound,
      confused: phrases,
    });
  }
  return rivals;
}

function bestThresholds(items, { score, confused, fixed }) {
  const scored = items.map((item) => ({ item, value: score(item.text), lost: confused(item.text) }));
  const grid = Array.from({ length: 49 }, (_, step) => step / 50);
  const best = (event, raises) =>
    grid
      .map((bound) => ({
        bound,
        f1: eventFigures(
          scored.filter(({ item }) => item.source !== 'traps').map(({ item, value }) => ({ item, out: { [event]: raises(value, bound) } })),
          event,
        ).f1,
      }))
      .sort((a, b) => b.f1 - a.f1)[0].bound;
  const low = fixed ? 0.6 : best('frustrated', (value, bound) => value < -bound);
  const high = fixed ? 0.5 : best('satisfied', (value, bound) => value > bound);
  return scored.map(({ item, value, lost }) => ({
    item,
    out: {
      frustrated: value < -low,
      confused: lost,
      satisfied: value > high,
      polarity: value > 0.05 ? 'pos' : value < -0.05 ? 'neg' : 'neu',
    },
  }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folders = process.argv.flatMap((value, index) => (process.argv[index - 1] === '--data' ? [value] : []));
  const { lines } = await errorCard(folders.length > 0 ? folders : undefined);
  process.stdout.write(`${lines.join('\n')}\n`);
  if (process.argv.includes('--write')) {
    const readme = join(root, 'README.md');
    const text = readFileSync(readme, 'utf8');
    writeFileSync(
      readme,
      text.replace(/(<!-- card -->\n)[\s\S]*(\n<!-- end of card -->)/, (_, open, close) => `${open}${lines.join('\n')}${close}`),
    );
  }
}
