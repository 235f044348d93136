/** How far the estimate is from o200k, on the half of the corpus that its weights have not seen. Samples of 200 tokens and more. */
import { estimateTextTokens } from '@x/core';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { KINDS, samples } from '../corpus/samples.mjs';

const count = (text) => encode(text).length;
const percent = (share) => `${share >= 0 ? '+' : ''}${(100 * share).toFixed(1)} %`;

export function errorTable() {
  const all = samples('report', 200, count).map((sample) => ({
    ...sample,
    error: (estimateTextTokens(sample.text) - sample.tokens) / sample.tokens,
  }));
  const rowOf = (kind, list) => {
    const absolute = list.map(({ error }) => Math.abs(error)).sort((a, b) => a - b);
    const errors = list.map(({ error }) => error);
    return {
      kind,
      samples: list.length,
      median: absolute[absolute.length >> 1],
      lowest: Math.min(...errors),
      highest: Math.max(...errors),
    };
  };
  return [
    ...Object.keys(KINDS).map((kind) =>
      rowOf(
        kind,
        all.filter((sample) => sample.kind === kind),
      ),
    ),
    rowOf('all', all),
  ];
}

export default async function ({ log }) {
  const table = errorTable();
  for (const row of table)
    log(`| ${row.kind} | ${row.samples} | ${(100 * row.median).toFixed(1)} % | ${percent(row.lowest)} | ${percent(row.highest)} |`);
  const promised = table.filter(({ kind }) => ['English', 'Code', 'JSON', 'CJK', 'Base64', 'all'].includes(kind));
  const worst = promised.reduce((a, b) => (a.median > b.median ? a : b));
  const lowest = table.reduce((a, b) => (a.lowest < b.lowest ? a : b));
  return [
    {
      claim: 'The median error of the token estimate against o200k is small for English, code, JSON, CJK and base64, each and together',
      figure: promised.map(({ kind, median }) => `${kind} ${(100 * median).toFixed(1)} %`).join(', '),
      limit: 'at most 10 % each',
      pass: worst.median <= 0.1,
    },
    {
      claim: 'No sample of 200 tokens or more is estimated far too low, in any script of the corpus',
      figure: `${percent(lowest.lowest)} (${lowest.kind})`,
      limit: 'never under by more than 15 %',
      pass: lowest.lowest >= -0.15,
    },
  ];
}
